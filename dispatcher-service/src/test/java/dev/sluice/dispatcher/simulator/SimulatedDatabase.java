package dev.sluice.dispatcher.simulator;

import dev.sluice.schema.Schema;
import dev.sluice.servers.TestStack;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.PGConnection;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** A real PostgreSQL, with the connections that all seeds use one after the other. */
final class SimulatedDatabase implements AutoCloseable {
  private final List<Connection> connections = new ArrayList<>();
  private final JdbcTemplate jdbc;

  static SimulatedDatabase fresh(String name) {
    TestStack stack = TestStack.shared();
    return new SimulatedDatabase(
        stack.freshDatabase(name), stack.postgres().user(), stack.postgres().password());
  }

  SimulatedDatabase(String url, String user, String password) {
    Schema.migrate(new DriverManagerDataSource(url, user, password));
    try {
      for (int i = 0; i < 3; i++) {
        Connection connection = DriverManager.getConnection(url, user, password);
        connections.add(connection);
        prepare(connection);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    jdbc = new JdbcTemplate(new SingleConnectionDataSource(connections.getFirst(), true));
  }

  /** Durability and plans are not what is tested here, and both take time. */
  private static void prepare(Connection connection) throws SQLException {
    connection.unwrap(PGConnection.class).setPrepareThreshold(2);
    try (var statement = connection.createStatement()) {
      statement.execute("set synchronous_commit = off");
      statement.execute("set plan_cache_mode = force_generic_plan");
      statement.execute("set jit = off");
      statement.execute("set enable_seqscan = off");
    }
  }

  /** So that the next statements have other plans: no answer's order may depend on that. */
  void gatherStatistics() {
    jdbc.execute("vacuum analyze");
  }

  /** A function of the schema once more, by another name and with something in it changed. */
  void addFaulty(String function, String name, String part, String instead) {
    String text =
        jdbc.queryForObject(
            "select pg_get_functiondef(?::regproc)", String.class, "public." + function);
    if (text == null || !text.contains(part)) {
      throw new AssertionError(function + " has this no more, mend the mutation: " + part);
    }
    // Its own name stands before its variables, too.
    jdbc.execute(
        text.replace(function + "(", name + "(")
            .replace(function + ".", name + ".")
            .replace(part, instead));
  }

  /** Of the simulation itself. */
  JdbcTemplate jdbc() {
    return jdbc;
  }

  Connection connection(int dispatcher) {
    return connections.get(1 + dispatcher);
  }

  /** Returns when the thread has ended, or its dispatcher's connection waits for a lock. */
  void awaitEndedOrBlocked(Thread thread, int dispatcher) {
    try {
      int backend = connection(dispatcher).unwrap(PGConnection.class).getBackendPID();
      while (!thread.join(Duration.ofMillis(1)) && !isBlocked(backend)) {
        // Both are looked at again.
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private boolean isBlocked(int backend) {
    return Boolean.TRUE.equals(
        jdbc.queryForObject("select cardinality(pg_blocking_pids(?)) > 0", Boolean.class, backend));
  }

  @Override
  public void close() {
    for (Connection connection : connections) {
      try {
        connection.close();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
