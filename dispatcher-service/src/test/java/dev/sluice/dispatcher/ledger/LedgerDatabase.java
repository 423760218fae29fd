package dev.sluice.dispatcher.ledger;

import dev.sluice.schema.Schema;
import dev.sluice.servers.TestStack;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** A database of a test's own, with the schema and nothing in it. */
final class LedgerDatabase {
  private LedgerDatabase() {}

  static JdbcTemplate fresh(String name) {
    TestStack stack = TestStack.shared();
    var source =
        new DriverManagerDataSource(
            stack.freshDatabase(name), stack.postgres().user(), stack.postgres().password());
    Schema.migrate(source);
    return new JdbcTemplate(source);
  }

  /**
   * The same over one connection, whose plans are made as those of a dispatcher's are: at the first
   * use, once for all, by indexes. To be closed by the caller.
   */
  static SingleConnectionDataSource session(String name) {
    TestStack stack = TestStack.shared();
    String url = stack.freshDatabase(name);
    var source =
        new SingleConnectionDataSource(
            url + (url.contains("?") ? "&" : "?") + "prepareThreshold=1",
            stack.postgres().user(),
            stack.postgres().password(),
            true);
    Schema.migrate(source);
    var jdbc = new JdbcTemplate(source);
    jdbc.execute("set plan_cache_mode = force_generic_plan");
    jdbc.execute("set enable_seqscan = off");
    jdbc.execute("set random_page_cost = 1.1");
    jdbc.execute("set jit = off");
    return source;
  }
}
