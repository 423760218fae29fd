package dev.sluice.dispatcher.start;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Json;
import dev.sluice.contracts.graph.Graph;
import dev.sluice.contracts.graph.SluiceGraph;
import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.ledger.DefinitionLedger.Key;
import dev.sluice.dispatcher.ledger.DefinitionLedger.Version;
import io.temporal.api.common.v1.Header;
import io.temporal.api.common.v1.Memo;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.common.v1.Priority;
import io.temporal.api.common.v1.SearchAttributes;
import io.temporal.api.common.v1.WorkflowType;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What Temporal is asked for: the same request on every try of an item. */
final class StartRequests {
  private static final ByteString JSON_PLAIN = ByteString.copyFromUtf8("json/plain");
  private static final String IDENTITY = "sluice-dispatcher";

  private final String namespace;

  StartRequests(String namespace) {
    this.namespace = namespace;
  }

  /** What the requests of one version have in common. */
  record Prototype(
      StartWorkflowExecutionRequest request,
      Memo memo,
      SearchAttributes searchAttributes,
      Version version,
      List<String> nodeIds) {}

  Prototype prototype(Key key, Version version) {
    List<String> nodeIds = nodeIds(version.graph());
    boolean graph = version.graph() != null;
    var request =
        StartWorkflowExecutionRequest.newBuilder()
            .setNamespace(namespace)
            .setWorkflowIdReusePolicy(
                WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE)
            .setIdentity(IDENTITY)
            .setWorkflowType(
                WorkflowType.newBuilder()
                    .setName(
                        graph
                            ? SluiceGraph.WORKFLOW_TYPE
                            : Objects.requireNonNull(version.workflowType())))
            .setTaskQueue(
                TaskQueue.newBuilder()
                    .setName(
                        graph
                            ? SluiceGraph.TASK_QUEUE
                            : Objects.requireNonNull(version.taskQueue())))
            .build();
    var memo =
        Memo.newBuilder()
            .putFields("workspace", text(key.workspaceId()))
            .putFields("definition", text(key.definitionId()))
            .putFields("version", json(Integer.toString(key.version())))
            .putFields("nodeIds", json(Json.MAPPER.writeValueAsString(nodeIds)))
            .build();
    var searchAttributes =
        SearchAttributes.newBuilder()
            .putIndexedFields(SearchAttributeSetup.WORKSPACE, keyword(key.workspaceId()))
            .putIndexedFields(SearchAttributeSetup.DEFINITION, keyword(key.definitionId()))
            .build();
    return new Prototype(request, memo, searchAttributes, version, nodeIds);
  }

  StartWorkflowExecutionRequest build(Claim claim, Prototype like, boolean searchAttributes) {
    boolean graph = like.version().graph() != null;
    var request =
        like.request().toBuilder()
            .setWorkflowId(ExecutionIds.workflowId(claim.id()))
            .setRequestId(claim.id().toString())
            .setInput(
                Payloads.newBuilder()
                    .addPayloads(json(graph ? graphRun(claim, like) : claim.input())))
            .setMemo(like.memo().toBuilder().putFields("requestId", text(claim.id().toString())))
            .setPriority(
                Priority.newBuilder()
                    .setPriorityKey(1 + claim.priority() / 2) // 0…9 onto Temporal's 1…5
                    .setFairnessKey(claim.workspaceId())
                    .setFairnessWeight(claim.rules().weight()));
    if (claim.deadline() != null) {
      request.setWorkflowExecutionTimeout(
          com.google.protobuf.Duration.newBuilder()
              .setSeconds(claim.deadline().toSeconds())
              .setNanos(claim.deadline().toNanosPart()));
    }
    if (searchAttributes) {
      request.setSearchAttributes(like.searchAttributes());
    }
    if (claim.traceparent() != null) {
      request.setHeader(header(claim.traceparent()));
    }
    return request.build();
  }

  /** Under the name the SDKs' OpenTelemetry interceptors look for, and under its own. */
  private static Header header(String traceparent) {
    return Header.newBuilder()
        .putFields(
            "_tracer-data",
            json(Json.MAPPER.writeValueAsString(Map.of("traceparent", traceparent))))
        .putFields("traceparent", text(traceparent))
        .build();
  }

  private static String graphRun(Claim claim, Prototype like) {
    var run = Json.MAPPER.createObjectNode();
    run.put("executionId", claim.id().toString());
    run.put("workspaceId", claim.workspaceId());
    run.put("definitionId", claim.definitionId());
    run.put("version", claim.version());
    run.set("nodeIds", Json.MAPPER.valueToTree(like.nodeIds()));
    run.set("graph", Json.MAPPER.readTree(like.version().graph()));
    run.set("input", Json.MAPPER.readTree(claim.input()));
    return Json.MAPPER.writeValueAsString(run);
  }

  private static List<String> nodeIds(@Nullable String graph) {
    return graph == null ? List.of() : Json.MAPPER.readValue(graph, Graph.class).nodeIds();
  }

  private static Payload text(String text) {
    return json(Json.MAPPER.writeValueAsString(text));
  }

  private static Payload keyword(String text) {
    return text(text).toBuilder().putMetadata("type", ByteString.copyFromUtf8("Keyword")).build();
  }

  private static Payload json(String json) {
    return Payload.newBuilder()
        .putMetadata("encoding", JSON_PLAIN)
        .setData(ByteString.copyFrom(json, UTF_8))
        .build();
  }
}
