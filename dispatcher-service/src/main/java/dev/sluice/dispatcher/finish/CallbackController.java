package dev.sluice.dispatcher.finish;

import dev.sluice.contracts.Signal;
import dev.sluice.dispatcher.owner.Ownership;
import dev.sluice.dispatcher.owner.SignalSender;
import dev.sluice.dispatcher.temporal.CompletionCallbacks;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/**
 * The Temporal server says that a workflow has closed. Its body is not read: what happened is asked
 * of Temporal by whoever owns the workspace.
 */
@RestController
final class CallbackController {
  private final CompletionCallbacks callbacks;
  private final OpenWorkflows openWorkflows;
  private final Ownership ownership;
  private final SignalSender signals;

  CallbackController(
      CompletionCallbacks callbacks,
      OpenWorkflows openWorkflows,
      Ownership ownership,
      SignalSender signals) {
    this.callbacks = callbacks;
    this.openWorkflows = openWorkflows;
    this.ownership = ownership;
    this.signals = signals;
  }

  @PostMapping(CompletionCallbacks.PATH)
  ResponseEntity<Void> closed(
      @PathVariable String workspaceId,
      @PathVariable UUID id,
      @RequestHeader(name = CompletionCallbacks.PROOF_HEADER, defaultValue = "") String proof) {
    if (!callbacks.isOurs(id, proof)) {
      return ResponseEntity.status(HttpStatus.FORBIDDEN).build();
    }
    if (ownership.owns(workspaceId)) {
      openWorkflows.hint(id, workspaceId);
    } else {
      signals.send(new Signal.Finished(workspaceId, id));
    }
    return ResponseEntity.ok().build();
  }
}
