package dev.sluice.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.common.v1.WorkflowType;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc.WorkflowServiceBlockingStub;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalTemporalTest {
  @TempDir Path folder;

  @Test
  void theInMemoryServerRunsWorkflows() {
    var temporal = TestStack.shared().temporal();
    assertThat(temporal.kind()).isEqualTo("in-memory");
    assertThat(temporal.callbacks()).isFalse();
    start(temporal, "in-memory");
    assertThat(status(temporal, "in-memory"))
        .isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING);
  }

  @Test
  void theRealServerKeepsItsWorkflowsOverAServerLeftBehind() throws Exception {
    var cli = LocalTemporal.findCli();
    assumeTrue(cli.isPresent(), "no temporal CLI here");
    Path file = folder.resolve("temporal.db");
    var leftBehind = LocalTemporal.server(cli.get(), file, 0);
    start(leftBehind, "kept");
    long pid = Long.parseLong(Files.readString(folder.resolve("temporal.db.pid")));
    try (var temporal = LocalTemporal.server(cli.get(), file, leftBehind.port())) {
      assertThat(ProcessHandle.of(pid)).isEmpty();
      assertThat(temporal.kind()).isEqualTo("temporal server");
      assertThat(temporal.callbacks()).isTrue();
      assertThat(status(temporal, "kept"))
          .isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING);
    }
    assertThat(folder.resolve("temporal.db.pid")).doesNotExist();
  }

  @Test
  void theTestStackHasTheRealServerWhereThereIsACli() {
    assertThat(TestStack.shared().realTemporal().isPresent())
        .isEqualTo(LocalTemporal.findCli().isPresent());
  }

  @Test
  void aTakenPortIsSaidInASentence() {
    int port = TestStack.shared().temporal().port();
    assertThatThrownBy(() -> LocalTemporal.inMemory(port))
        .isInstanceOf(CannotStart.class)
        .hasMessage(
            "Port %d is taken, so Temporal cannot listen there; stop the program that has it or"
                + " choose another with SLUICE_TEMPORAL_PORT.",
            port);
  }

  @Test
  void aProgramThatIsNoTemporalIsSaidInASentence() throws Exception {
    Path program = Files.writeString(folder.resolve("temporal"), "#!/bin/sh\nexit 1\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    assertThatThrownBy(() -> LocalTemporal.server(program, folder.resolve("temporal.db"), 0))
        .isInstanceOf(CannotStart.class)
        .hasMessageMatching(
            "The Temporal server did not start on port \\d+; .*logs/temporal.log says why.");
  }

  private static void start(LocalTemporal temporal, String id) {
    call(
        temporal,
        stub ->
            stub.startWorkflowExecution(
                StartWorkflowExecutionRequest.newBuilder()
                    .setNamespace("default")
                    .setWorkflowId(id)
                    .setRequestId(id)
                    .setWorkflowType(WorkflowType.newBuilder().setName("Waits"))
                    .setTaskQueue(TaskQueue.newBuilder().setName("nobody"))
                    .build()));
  }

  private static WorkflowExecutionStatus status(LocalTemporal temporal, String id) {
    return call(
            temporal,
            stub ->
                stub.describeWorkflowExecution(
                    DescribeWorkflowExecutionRequest.newBuilder()
                        .setNamespace("default")
                        .setExecution(WorkflowExecution.newBuilder().setWorkflowId(id))
                        .build()))
        .getWorkflowExecutionInfo()
        .getStatus();
  }

  private static <T> T call(LocalTemporal temporal, Function<WorkflowServiceBlockingStub, T> call) {
    ManagedChannel channel =
        Grpc.newChannelBuilder(temporal.address(), InsecureChannelCredentials.create()).build();
    try {
      return call.apply(WorkflowServiceGrpc.newBlockingStub(channel));
    } finally {
      channel.shutdownNow();
    }
  }
}
