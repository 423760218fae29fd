package dev.sluice.dispatcher;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.schema.Database;
import dev.sluice.servers.TestStack;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FrozenTransactionTest {
  /** A frozen process does nothing and closes nothing; the one that takes over must not wait. */
  @Test
  @Tag("Q18")
  void theLocksOfATransactionThatStandsStillAreGivenUp() throws SQLException {
    var server = TestStack.shared().postgres();
    String url = TestStack.shared().freshDatabase("frozen");
    try (var frozen = Database.pool("frozen", url, server.user(), server.password(), 2);
        var other = Database.pool("other", url, server.user(), server.password(), 2);
        Connection standing = frozen.getConnection();
        Connection waiting = other.getConnection()) {
      execute(standing, "create table workspace as select 1 as id");
      standing.setAutoCommit(false);
      execute(standing, "select id from workspace for update");

      execute(waiting, "set lock_timeout = '30s'");
      execute(waiting, "select id from workspace for update");

      assertThatThrownBy(() -> execute(standing, "select 1"))
          .as("the connection that stood still")
          .isInstanceOf(SQLException.class);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
