package dev.sluice.dispatcher;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.WorkflowStatus;
import dev.sluice.dispatcher.admit.Admission;
import dev.sluice.dispatcher.admit.AdmitSettings;
import dev.sluice.dispatcher.finish.OpenWorkflows;
import dev.sluice.dispatcher.finish.WorkflowCanceller;
import dev.sluice.dispatcher.ledger.AdmitLedger;
import dev.sluice.dispatcher.ledger.AdmitLedger.Ask;
import dev.sluice.dispatcher.ledger.AdmitLedger.Given;
import dev.sluice.dispatcher.ledger.EnterLedger.Room;
import dev.sluice.dispatcher.ledger.FinishLedger;
import dev.sluice.dispatcher.ledger.FinishLedger.Close;
import dev.sluice.dispatcher.ledger.HandoverLedger;
import dev.sluice.dispatcher.ledger.SettleLedger;
import dev.sluice.dispatcher.ledger.WorkspaceLock;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import dev.sluice.dispatcher.settle.Settlement;
import dev.sluice.dispatcher.simulator.ManualTimer;
import dev.sluice.dispatcher.start.StartQueue;
import dev.sluice.dispatcher.start.StartSettings;
import dev.sluice.schema.Schema;
import dev.sluice.servers.TestStack;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A close is heard by another thread than the pipeline's, at any moment. At two of them it used to
 * be written without the next one being claimed, whose workspace was then taken for full: its slot
 * was free until the next sweep, up to 30 s later.
 */
@Tag("Q6")
class CloseInTheMidstTest {
  private static final StartSettings START =
      new StartSettings(
          4,
          8,
          8,
          Duration.ofSeconds(10),
          Duration.ofSeconds(5),
          Duration.ofMillis(200),
          Duration.ofSeconds(5),
          Duration.ofSeconds(1),
          Duration.ofMinutes(1));

  private final JdbcTemplate jdbc = database();
  private final List<UUID> started = new ArrayList<>();
  private Runnable inTheMidst = () -> {};
  private Pipeline pipeline;
  private Admission admission;

  private static JdbcTemplate database() {
    TestStack stack = TestStack.shared();
    var source =
        new DriverManagerDataSource(
            stack.freshDatabase("midst"), stack.postgres().user(), stack.postgres().password());
    Schema.migrate(source);
    return new JdbcTemplate(source);
  }

  @BeforeEach
  void aPipelineAndAWorkspaceWithOneSlot() {
    var metrics = new DispatcherMetrics(new SimpleMeterRegistry());
    var us = UUID.randomUUID();
    var transaction =
        new TransactionTemplate(new JdbcTransactionManager(requireNonNull(jdbc.getDataSource())));
    pipeline =
        new Pipeline(
            new WorkspaceLock(jdbc),
            new SettleLedger(jdbc),
            new FinishLedger(jdbc),
            transaction,
            new Settlement(START),
            new Settling(new SettleLedger(jdbc), metrics),
            metrics,
            true);
    var clock = new ManualTimer.Clock();
    var starts =
        new StartQueue(
            claim -> {
              started.add(claim.id());
              return new CompletableFuture<>();
            },
            pipeline,
            START,
            new ManualTimer(clock),
            () -> {
              Runnable work = inTheMidst;
              inTheMidst = () -> {};
              work.run();
              return clock.nanos();
            });
    admission =
        new Admission(
            new AdmitLedger(jdbc, us, Duration.ZERO),
            new HandoverLedger(jdbc, us),
            starts,
            new AdmitSettings(200, Duration.ZERO),
            metrics,
            new EveryWorkspaceIsOurs(),
            (work, after) -> {});
    pipeline.connect(admission, starts, new NobodyListens(), new NobodyCancels(), workspaces -> {});
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
    inTheMidst = () -> pipeline.closed(closeOf(open)); // who asks for room asks for the time
    pipeline.runOnce();
    pipeline.runOnce();
    assertThat(started).containsExactly(next);
  }

  /** What enters is stored under another lock than the pipeline's, and tells what it saw late. */
  @Test
  void whoeverSawAWorkspaceFullBeforeItsCloseDoesNotKeepALaterOneWaiting() {
    UUID open = running();
    pipeline.touch("w");
    pipeline.runOnce();
    assertThat(admission.isFull("w")).isTrue();

    pipeline.touch("w"); // the close is heard …
    var ask = new Ask("w", 1, 0);
    var seen = new Room(1, 1, 1);
    admission.follow(List.of(ask), List.of(Given.within("w", seen, 0, List.of())), full -> {});
    jdbc.update("update workflow_execution set status = 'COMPLETED', closed_at = now()");
    pipeline.runOnce(); // … and nobody is in line yet
    UUID next = waiting();
    pipeline.arrived("w");
    pipeline.runOnce();
    assertThat(started).as("after the close of %s", open).containsExactly(next);
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

  private static final class EveryWorkspaceIsOurs implements Admission.Owner {
    @Override
    public boolean isUs(String workspaceId) {
      return true;
    }

    @Override
    public boolean mayAdmit(String workspaceId) {
      return true;
    }

    @Override
    public void tell(String workspaceId) {}
  }

  private static final class NobodyListens implements OpenWorkflows {
    @Override
    public void watch(UUID id, String workspaceId) {}

    @Override
    public void hint(UUID id, String workspaceId) {}

    @Override
    public void urgent(String workspaceId) {}

    @Override
    public void forget(UUID id) {}
  }

  private static final class NobodyCancels implements WorkflowCanceller {
    @Override
    public void cancel(UUID id, String workspaceId) {}

    @Override
    public void terminate(UUID id, String workspaceId) {}
  }
}
