package dev.sluice.ingest.http;

import java.sql.SQLException;
import java.sql.SQLTransientException;
import org.jspecify.annotations.Nullable;

/** Tells a database that is away from a statement that is wrong. */
final class DatabaseOutage {
  private DatabaseOutage() {}

  /**
   * Looks at every cause: when a connection dies inside a transaction the failed rollback is what
   * arrives here, and what it says is only that the connection is closed.
   */
  static boolean isBehind(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLTransientException
          || (cause instanceof SQLException e && isOutage(e.getSQLState()))) {
        return true;
      }
    }
    return false;
  }

  /** The pool throws without a state where a connection or the pool itself is closed. */
  private static boolean isOutage(@Nullable String state) {
    return state == null
        || state.startsWith("08") // connection
        || state.startsWith("53") // out of connections, memory, disk
        || state.startsWith("57") // shut down, starting up, cancelled
        || state.startsWith("58"); // the server's own system error
  }
}
