package dev.sluice.dispatcher.ledger;

import dev.sluice.schema.Schema;
import dev.sluice.servers.TestStack;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

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
}
