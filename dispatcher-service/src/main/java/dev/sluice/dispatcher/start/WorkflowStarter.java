package dev.sluice.dispatcher.start;

import dev.sluice.dispatcher.ledger.Claim;
import java.util.concurrent.CompletableFuture;

/**
 * Asks for one workflow. Never blocks, never completes exceptionally, safe to ask twice for the
 * same id.
 */
public interface WorkflowStarter {
  CompletableFuture<StartOutcome> start(Claim claim);
}
