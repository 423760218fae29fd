package dev.sluice.operate;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.sluice.schema.Database;
import java.util.List;
import java.util.stream.Stream;

/** The pool of connections, or a sentence why there is none. */
public final class PostgresStart {
  private static final String EXAMPLE = "jdbc:postgresql://127.0.0.1:15432/sluice";

  /**
   * Every row that a service asks for is found by an index. A queue's statistics are wrong most of
   * the time, in a new database for the first minute at least, so the planner is not to trust them
   * and read a table that it believes to be small.
   */
  private static final List<String> BY_INDEX =
      List.of("enable_seqscan=off", "random_page_cost=1.1", "jit=off");

  private PostgresStart() {}

  /**
   * @param serverSettings of PostgreSQL, on top of those that all services have
   */
  public static HikariDataSource pool(
      String name,
      String url,
      String user,
      String password,
      int connections,
      String... serverSettings) {
    try {
      return Database.pool(name, url, user, password, connections, settings(serverSettings));
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

  private static String[] settings(String[] more) {
    return Stream.concat(BY_INDEX.stream(), Stream.of(more)).toArray(String[]::new);
  }
}
