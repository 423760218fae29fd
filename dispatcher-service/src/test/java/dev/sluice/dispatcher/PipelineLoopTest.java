package dev.sluice.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.WorkflowStatus;
import dev.sluice.dispatcher.ledger.FinishLedger.Close;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class PipelineLoopTest {
  /** Port 1 of this machine: refused at once. */
  private static final JdbcTemplate NO_DATABASE =
      new JdbcTemplate(new DriverManagerDataSource("jdbc:postgresql://127.0.0.1:1/none", "a", "b"));

  /** It used to try again without a rest, and to log each time, for as long as the JVM ran. */
  @Test
  void aStopEndsALoopThatCannotWriteWhatItHas() throws InterruptedException {
    var parts = PipelineParts.over(NO_DATABASE, () -> {});
    var loop =
        new PipelineLoop(
            parts.pipeline(), parts.settling(), parts.starts(), Duration.ofMillis(200));
    parts
        .pipeline()
        .closed(new Close(UUID.randomUUID(), "w", WorkflowStatus.COMPLETED, null, null, "run"));
    loop.start();
    loop.stop();
    assertThat(parts.pipeline().hasWork()).as("it could not be written").isTrue();
    assertThat(loop.haveEnded(Duration.ofSeconds(10))).isTrue();
  }
}
