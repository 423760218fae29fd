package dev.sluice.dispatcher.start;

import dev.sluice.dispatcher.temporal.Refusal;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.operatorservice.v1.AddSearchAttributesRequest;
import io.temporal.api.operatorservice.v1.OperatorServiceGrpc;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionRequest;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers our search attributes where the server lets us. Until that is known to have worked,
 * workflows are started without them: a server refuses a start that names an unknown one.
 */
public final class SearchAttributeSetup {
  static final String WORKSPACE = "SluiceWorkspace";
  static final String DEFINITION = "SluiceDefinition";

  private static final Logger log = LoggerFactory.getLogger(SearchAttributeSetup.class);

  private final WorkflowServiceStubs temporal;
  private final String namespace;
  private volatile boolean registered;
  private volatile Runnable onForgotten = () -> {};

  public SearchAttributeSetup(WorkflowServiceStubs temporal, String namespace) {
    this.temporal = temporal;
    this.namespace = namespace;
  }

  boolean isRegistered() {
    return registered;
  }

  /** Set once, before anything is started: who is to call {@link #runOnce} again. */
  public void onForgotten(Runnable told) {
    this.onForgotten = told;
  }

  /**
   * A server that was replaced by an empty one, as development servers are when they restart, does
   * not know them any more and refuses the start; it is then asked without, and they are registered
   * again for the next.
   */
  boolean isRefusal(StartWorkflowExecutionRequest request, Throwable failure) {
    boolean refusal =
        request.hasSearchAttributes() && Refusal.names(failure, WORKSPACE, DEFINITION);
    if (refusal && registered) {
      registered = false;
      log.atWarn()
          .addKeyValue("said", Refusal.said(failure))
          .log(
              "this Temporal server has forgotten our search attributes; they are registered"
                  + " again");
      onForgotten.run();
    }
    return refusal;
  }

  /** Answers whether it is worth trying again. */
  public boolean runOnce() {
    try {
      var _ =
          OperatorServiceGrpc.newBlockingStub(temporal.getRawChannel())
              .withDeadlineAfter(5, TimeUnit.SECONDS)
              .addSearchAttributes(
                  AddSearchAttributesRequest.newBuilder()
                      .setNamespace(namespace)
                      .putSearchAttributes(WORKSPACE, IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD)
                      .putSearchAttributes(DEFINITION, IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD)
                      .build());
      registered = true;
      return false;
    } catch (StatusRuntimeException e) {
      return switch (e.getStatus().getCode()) {
        case ALREADY_EXISTS -> {
          registered = true;
          yield false;
        }
        case PERMISSION_DENIED, UNIMPLEMENTED, INVALID_ARGUMENT, UNAUTHENTICATED -> {
          log.atInfo()
              .addKeyValue("status", e.getStatus().getCode())
              .log("this Temporal server lets us register no search attributes: starting without");
          yield false;
        }
        default -> e.getStatus().getCode() != Status.Code.OK;
      };
    }
  }
}
