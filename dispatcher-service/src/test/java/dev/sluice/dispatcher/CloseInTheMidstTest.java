package dev.sluice.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.WorkflowStatus;
import dev.sluice.dispatcher.ledger.AdmitLedger.Ask;
import dev.sluice.dispatcher.ledger.AdmitLedger.Given;
import dev.sluice.dispatcher.ledger.EnterLedger.Room;
import dev.sluice.dispatcher.ledger.FinishLedger.Close;
import dev.sluice.schema.Schema;
import dev.sluice.servers.TestStack;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * A close is heard by another thread than the pipeline's, at any moment. At two of them it used to
 * be written without the next one being claimed, whose workspace was then taken for full: its slot
 * was free until the next sweep, up to 30 s later.
 */
@Tag("Q6")
class CloseInTheMidstTest {
  private final JdbcTemplate jdbc = database();
  private Runnable inTheMidst = () -> {};
  private final PipelineParts parts = PipelineParts.over(jdbc, this::onTime);
  private final Pipeline pipeline = parts.pipeline();

  private static JdbcTemplate database() {
    TestStack stack = TestStack.shared();
    var source =
        new DriverManagerDataSource(
            stack.freshDatabase("midst"), stack.postgres().user(), stack.postgres().password());
    Schema.migrate(source);
    return new JdbcTemplate(source);
  }

  private void onTime() {
    Runnable work = inTheMidst;
    inTheMidst = () -> {};
    work.run();
  }

  @BeforeEach
  void aWorkspaceWithOneSlot() {
    jdbc.update("insert into workspace (id, plan_id) values ('w', 'FREE')");
    jdbc.update(
        "insert into workflow_definition (workspace_id, id, current_version) values ('w', 'd', 1)");
    jdbc.update(
        "insert into workflow_definition_version (workspace_id, definition_id, version,"
            + " workflow_type, task_queue) values ('w', 'd', 1, 'Report', 'reports')");
  }

  @Test
  void aCloseThatIsHeardWhileARunBeginsLetsTheNextOneStart() {
    UUID open = running();
    UUID next = waiting();
    inTheMidst = () -> pipeline.closed(closeOf(open));
    pipeline.runOnce();
    pipeline.runOnce();
    assertThat(parts.started()).containsExactly(next);
  }

  /** What enters is stored under another lock than the pipeline's, and tells what it saw late. */
  @Test
  void whoeverSawAWorkspaceFullBeforeItsCloseDoesNotKeepALaterOneWaiting() {
    UUID open = running();
    pipeline.touch("w");
    pipeline.runOnce();
    assertThat(parts.admission().isFull("w")).isTrue();

    pipeline.touch("w"); // the close is heard …
    var ask = new Ask("w", 1, 0);
    var seen = new Room(1, 1, 1);
    parts
        .admission()
        .follow(List.of(ask), List.of(Given.within("w", seen, 0, List.of())), full -> {});
    jdbc.update("update workflow_execution set status = 'COMPLETED', closed_at = now()");
    pipeline.runOnce(); // … and nobody is in line yet
    UUID next = waiting();
    pipeline.arrived("w");
    pipeline.runOnce();
    assertThat(parts.started()).as("after the close of %s", open).containsExactly(next);
  }

  private static Close closeOf(UUID id) {
    return new Close(id, "w", WorkflowStatus.COMPLETED, null, null, "run");
  }

  private UUID running() {
    UUID id = UUID.randomUUID();
    jdbc.update(
        "insert into workflow_execution_queue (id, workspace_id, definition_id, definition_version,"
            + " state, priority, input, dispatched_at) values (?, 'w', 'd', 1, 'DISPATCHED', 5,"
            + " '{}', now())",
        id);
    jdbc.update(
        "insert into workflow_execution (id, workspace_id, definition_id, definition_version)"
            + " values (?, 'w', 'd', 1)",
        id);
    return id;
  }

  private UUID waiting() {
    UUID id = UUID.randomUUID();
    jdbc.update(
        "insert into workflow_execution_queue (id, workspace_id, definition_id, definition_version,"
            + " state, priority, input) values (?, 'w', 'd', 1, 'PENDING', 5, '{}')",
        id);
    return id;
  }
}
