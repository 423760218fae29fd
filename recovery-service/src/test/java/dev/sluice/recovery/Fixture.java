package dev.sluice.recovery;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.contracts.TopicSetup;
import dev.sluice.recovery.connect.DatabaseSettings;
import dev.sluice.schema.Database;
import dev.sluice.schema.Schema;
import dev.sluice.servers.TestStack;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.Admin;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A database of its own with the schema in it, next to the shared Kafka and Temporal. */
public final class Fixture implements AutoCloseable {
  private final String url;
  private final HikariDataSource pool;
  private final JdbcClient sql;

  private Fixture(String name) {
    var stack = TestStack.shared();
    url = stack.freshDatabase(name);
    pool = Database.pool("test", url, stack.postgres().user(), stack.postgres().password(), 10);
    Schema.migrate(pool);
    sql = JdbcClient.create(pool);
    makeTopics();
  }

  public static Fixture fresh(Class<?> test) {
    return new Fixture(test.getSimpleName());
  }

  private static void makeTopics() {
    try (var admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      TopicSetup.ensure(admin, 3);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  public static String bootstrapServers() {
    return TestStack.shared().kafka().bootstrapServers();
  }

  public static Map<String, Object> kafka() {
    return Map.of("bootstrap.servers", bootstrapServers());
  }

  public DatabaseSettings database() {
    var postgres = TestStack.shared().postgres();
    return new DatabaseSettings(url, postgres.user(), postgres.password(), 6);
  }

  /** Slots are the server's, databases are the test's. */
  public String slot() {
    return url.substring(url.lastIndexOf('/') + 1).replaceAll("\\?.*", "") + "_slot";
  }

  public DataSource pool() {
    return pool;
  }

  public JdbcClient sql() {
    return sql;
  }

  /** The server has room for twenty slots. */
  @Override
  public void close() {
    sql.sql(
            "select pg_drop_replication_slot(slot_name) from pg_replication_slots"
                + " where slot_name = ? and active_pid is null")
        .param(slot())
        .query()
        .listOfRows();
    pool.close();
  }
}
