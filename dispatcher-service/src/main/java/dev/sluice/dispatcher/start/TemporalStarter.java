package dev.sluice.dispatcher.start;

import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.FailureCode;
import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.ledger.DefinitionLedger;
import dev.sluice.dispatcher.start.DefinitionVersions.Found;
import dev.sluice.dispatcher.start.StartRequests.Prototype;
import dev.sluice.dispatcher.temporal.Calls;
import dev.sluice.dispatcher.temporal.CompletionCallbacks;
import dev.sluice.dispatcher.temporal.TemporalSettings;
import dev.sluice.dispatcher.trace.Traces;
import io.grpc.Status;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionRequest;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Starts workflows over gRPC without a thread waiting for any of them. */
public final class TemporalStarter implements WorkflowStarter {
  private final WorkflowServiceStubs temporal;
  private final TemporalSettings settings;
  private final StartSettings start;
  private final DefinitionVersions versions;
  private final SearchAttributeSetup searchAttributes;
  private final CompletionCallbacks callbacks;
  private final StartRequests requests;
  private final Traces traces;

  public TemporalStarter(
      WorkflowServiceStubs temporal,
      TemporalSettings settings,
      StartSettings start,
      DefinitionLedger definitions,
      SearchAttributeSetup searchAttributes,
      CompletionCallbacks callbacks,
      Traces traces) {
    this.traces = traces;
    this.temporal = temporal;
    this.settings = settings;
    this.start = start;
    this.searchAttributes = searchAttributes;
    this.callbacks = callbacks;
    this.requests = new StartRequests(settings.namespace());
    this.versions = new DefinitionVersions(definitions, requests);
  }

  @Override
  public CompletableFuture<StartOutcome> start(Claim claim) {
    if (!traces.isOn()) {
      return ask(claim);
    }
    var step =
        traces.begin(
            "sluice.start", new Traces.Item(claim.id(), claim.workspaceId(), claim.traceparent()));
    return ask(claim.under(step.traceparent()))
        .whenComplete(
            (outcome, failure) ->
                step.end(outcome == null ? "failed" : outcome.getClass().getSimpleName()));
  }

  private CompletableFuture<StartOutcome> ask(Claim claim) {
    return claim.lookFirst() ? lookThenStart(claim) : startNow(claim);
  }

  /**
   * A claim from long ago: a workflow past Temporal's retention would not be recognised as ours.
   */
  private CompletableFuture<StartOutcome> lookThenStart(Claim claim) {
    var request =
        DescribeWorkflowExecutionRequest.newBuilder()
            .setNamespace(settings.namespace())
            .setExecution(
                WorkflowExecution.newBuilder().setWorkflowId(ExecutionIds.workflowId(claim.id())))
            .build();
    var described = new CompletableFuture<StartOutcome>();
    Calls.when(
        temporal
            .futureStub()
            .withDeadlineAfter(start.callTimeout().toMillis(), TimeUnit.MILLISECONDS)
            .describeWorkflowExecution(request),
        found ->
            described.complete(
                new StartOutcome.AlreadyStarted(
                    found.getWorkflowExecutionInfo().getExecution().getRunId())),
        failure -> {
          if (Status.fromThrowable(failure).getCode() == Status.Code.NOT_FOUND) {
            pass(startNow(claim), described);
          } else {
            described.complete(Outcomes.of(failure));
          }
        });
    return described;
  }

  private CompletableFuture<StartOutcome> startNow(Claim claim) {
    return versions
        .find(claim)
        .thenCompose(
            found ->
                switch (found) {
                  case Found.Known(Prototype prototype) ->
                      send(claim, prototype, searchAttributes.isRegistered());
                  case Found.Missing missing ->
                      CompletableFuture.completedFuture(
                          new StartOutcome.Rejected(
                              FailureCode.UNKNOWN_VERSION,
                              "version %d of definition %s does not exist: put the definition again, then retry"
                                  .formatted(claim.version(), claim.definitionId())));
                  case Found.Unreadable unreadable ->
                      CompletableFuture.completedFuture(
                          new StartOutcome.Outage(
                              "the definition could not be read from PostgreSQL"));
                });
  }

  private CompletableFuture<StartOutcome> send(
      Claim claim, Prototype prototype, boolean withSearchAttributes) {
    StartWorkflowExecutionRequest plain = requests.build(claim, prototype, withSearchAttributes);
    StartWorkflowExecutionRequest request = callbacks.addTo(plain, claim);
    var outcome = new CompletableFuture<StartOutcome>();
    Calls.when(
        temporal
            .futureStub()
            .withDeadlineAfter(start.callTimeout().toMillis(), TimeUnit.MILLISECONDS)
            .startWorkflowExecution(request),
        started -> outcome.complete(new StartOutcome.Started(started.getRunId())),
        failure -> {
          if (callbacks.isRefusal(request, failure)) {
            pass(send(claim, prototype, withSearchAttributes), outcome);
          } else if (searchAttributes.isRefusal(request, failure)) {
            pass(send(claim, prototype, false), outcome);
          } else {
            outcome.complete(Outcomes.of(failure));
          }
        });
    return outcome;
  }

  private static void pass(
      CompletableFuture<StartOutcome> from, CompletableFuture<StartOutcome> to) {
    var _ = from.thenAccept(to::complete);
  }
}
