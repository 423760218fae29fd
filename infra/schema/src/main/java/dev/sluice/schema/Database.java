package dev.sluice.schema;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;

/** The connection pool of a service, from the addresses a user gives. */
public final class Database {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration LONGEST_IDLE = Duration.ofSeconds(5);

  private Database() {}

  /**
   * Takes {@code jdbc:postgresql://…} and the common {@code postgresql://…} or {@code
   * postgres://…}.
   */
  public static String jdbcUrl(String url) {
    if (url.startsWith("jdbc:postgresql://")) {
      return url;
    }
    if (url.startsWith("postgresql://")) {
      return "jdbc:" + url;
    }
    if (url.startsWith("postgres://")) {
      return "jdbc:postgresql://" + url.substring("postgres://".length());
    }
    throw new IllegalArgumentException(
        "DATABASE_URL must look like jdbc:postgresql://127.0.0.1:15432/sluice (user and password go"
            + " into DATABASE_USER and DATABASE_PASSWORD)");
  }

  /**
   * @param serverSettings what PostgreSQL is to do for these connections, as {@code name=value}
   */
  public static HikariDataSource pool(
      String name,
      String url,
      String user,
      String password,
      int connections,
      String... serverSettings) {
    var config = new HikariConfig();
    config.setPoolName(name);
    config.setJdbcUrl(jdbcUrl(url));
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(connections);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(CONNECT.toMillis());
    config.addDataSourceProperty("ApplicationName", "sluice-" + name);
    // Every statement comes again, so it is prepared at once.
    config.addDataSourceProperty("prepareThreshold", "1");
    config.addDataSourceProperty("reWriteBatchedInserts", "true");
    // A dead server is noticed although nobody closed the connection.
    config.addDataSourceProperty("tcpKeepAlive", "true");
    config.addDataSourceProperty("socketTimeout", "60");
    // A frozen process keeps its connections, and with them the locks of a transaction it was in:
    // whoever takes over its workspaces would wait until it wakes up.
    var options =
        new StringBuilder("-c idle_in_transaction_session_timeout=" + LONGEST_IDLE.toMillis());
    for (String setting : serverSettings) {
      options.append(" -c ").append(setting);
    }
    config.addDataSourceProperty("options", options.toString());
    return new HikariDataSource(config);
  }
}
