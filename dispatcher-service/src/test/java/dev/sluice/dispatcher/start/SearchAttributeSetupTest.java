package dev.sluice.dispatcher.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.protobuf.ByteString;
import dev.sluice.servers.LocalTemporal;
import io.grpc.Status;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.SearchAttributes;
import io.temporal.api.common.v1.WorkflowType;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionRequest;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SearchAttributeSetupTest {
  private final LocalTemporal server = LocalTemporal.inMemory(0);
  private final LocalTemporal empty = LocalTemporal.inMemory(0);
  private final WorkflowServiceStubs temporal = stubs(server);
  private final WorkflowServiceStubs emptyTemporal = stubs(empty);

  @AfterEach
  void stop() {
    temporal.shutdownNow();
    emptyTemporal.shutdownNow();
    server.close();
    empty.close();
  }

  @Test
  void whereTheyAreForgottenTheyAreRegisteredAgain() {
    var setup = new SearchAttributeSetup(temporal, "default");
    var told = new AtomicInteger();
    setup.onForgotten(told::incrementAndGet);
    assertThat(setup.runOnce()).isFalse();
    StartWorkflowExecutionRequest request = start();
    assertThat(catchThrowable(() -> ask(temporal, request))).isNull();

    Throwable refused = catchThrowable(() -> ask(emptyTemporal, request));

    assertThat(refused).isNotNull();
    assertThat(setup.isRefusal(request, refused)).isTrue();
    assertThat(setup.isRegistered()).isFalse();
    assertThat(setup.isRefusal(request, refused)).isTrue();
    assertThat(told).as("once, though two starts were refused").hasValue(1);
    assertThat(setup.runOnce()).isFalse();
    assertThat(setup.isRegistered()).isTrue();
  }

  @Test
  void anotherRefusalIsNoneOfIts() {
    var setup = new SearchAttributeSetup(temporal, "default");
    assertThat(setup.runOnce()).isFalse();
    Throwable refused =
        Status.INVALID_ARGUMENT.withDescription("WorkflowType is not set.").asRuntimeException();

    assertThat(setup.isRefusal(start(), refused)).isFalse();
    assertThat(setup.isRegistered()).isTrue();
  }

  private static WorkflowServiceStubs stubs(LocalTemporal server) {
    return WorkflowServiceStubs.newServiceStubs(
        WorkflowServiceStubsOptions.newBuilder().setTarget(server.address()).build());
  }

  private static void ask(WorkflowServiceStubs temporal, StartWorkflowExecutionRequest request) {
    var _ = temporal.blockingStub().startWorkflowExecution(request);
  }

  private static StartWorkflowExecutionRequest start() {
    String id = UUID.randomUUID().toString();
    return StartWorkflowExecutionRequest.newBuilder()
        .setNamespace("default")
        .setWorkflowId(id)
        .setRequestId(id)
        .setWorkflowType(WorkflowType.newBuilder().setName("T"))
        .setTaskQueue(TaskQueue.newBuilder().setName("q"))
        .setSearchAttributes(
            SearchAttributes.newBuilder()
                .putIndexedFields(
                    SearchAttributeSetup.WORKSPACE,
                    Payload.newBuilder()
                        .putMetadata("encoding", ByteString.copyFromUtf8("json/plain"))
                        .putMetadata("type", ByteString.copyFromUtf8("Keyword"))
                        .setData(ByteString.copyFromUtf8("\"w\""))
                        .build()))
        .build();
  }
}
