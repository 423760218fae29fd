package dev.sluice.operate;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.sluice.schema.Database;

/** The pool of connections, or a sentence why there is none. */
public final class PostgresStart {
  private static final String EXAMPLE = "jdbc:postgresql://127.0.0.1:15432/sluice";

  private PostgresStart() {}

  public static HikariDataSource pool(
      String name,
      String url,
      String user,
      String password,
      int connections,
      String... serverSettings) {
    try {
      return Database.pool(name, url, user, password, connections, serverSettings);
    } catch (PoolInitializationException e) {
      throw new WrongSetting(
          "DATABASE_URL", url, "it cannot be used (" + Causes.innermost(e) + ")", EXAMPLE, e);
    } catch (RuntimeException e) {
      throw new WrongSetting(
          "DATABASE_URL",
          url,
          "it must be an address of PostgreSQL, with the user in DATABASE_USER and the password in"
              + " DATABASE_PASSWORD",
          EXAMPLE,
          e);
    }
  }
}
