package dev.sluice.ingest.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.TransactionSystemException;

class DatabaseOutageTest {
  @Test
  void aRollbackThatFailsOnAClosedConnectionIsAnOutage() {
    var rollback =
        new TransactionSystemException(
            "Could not roll back", new SQLException("Connection is closed"));

    assertThat(DatabaseOutage.isBehind(rollback)).isTrue();
  }

  @Test
  void aServerThatShutsDownIsAnOutageAndADuplicateIsNot() {
    assertThat(DatabaseOutage.isBehind(new SQLException("terminating", "57P01"))).isTrue();
    assertThat(
            DatabaseOutage.isBehind(
                new DuplicateKeyException("twice", new SQLException("duplicate key", "23505"))))
        .isFalse();
  }
}
