package dev.sluice.dispatcher.settle;

import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.ledger.SettleLedger.Release;
import dev.sluice.dispatcher.ledger.SettleLedger.Started;
import dev.sluice.dispatcher.start.StartOutcome;
import dev.sluice.dispatcher.start.StartSettings;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** What is to be written about a claim whose start is resolved. */
public final class Settlement {
  private final StartSettings settings;

  public Settlement(StartSettings settings) {
    this.settings = settings;
  }

  public Optional<Started> started(Claim claim, StartOutcome outcome) {
    return switch (outcome) {
      case StartOutcome.Started s -> Optional.of(new Started(claim.id(), claim.token(), s.runId()));
      case StartOutcome.AlreadyStarted a ->
          Optional.of(new Started(claim.id(), claim.token(), a.runId()));
      case StartOutcome.Rejected r -> Optional.empty();
      case StartOutcome.Outage o -> Optional.empty();
      case StartOutcome.Unknown u -> Optional.empty();
    };
  }

  public Release rejected(Claim claim, StartOutcome.Rejected rejected) {
    int attempts = claim.attempts() + 1;
    boolean last = attempts >= claim.maxAttempts();
    return new Release(
        claim.id(),
        claim.token(),
        claim.workspaceId(),
        1,
        last ? Duration.ZERO : backoff(claim.rules()).after(attempts),
        last ? rejected.code().name() : null,
        last ? printable(rejected.message()) : null);
  }

  /** The definition's own where it has one. */
  private Backoff backoff(Claim.Rules rules) {
    return new Backoff(
        Objects.requireNonNullElse(rules.firstBackoff(), settings.firstBackoff()),
        Objects.requireNonNullElse(rules.longestBackoff(), settings.longestBackoff()));
  }

  /** Never sent: somebody else may have the slot at once. */
  public static Release unsent(Claim claim) {
    return new Release(
        claim.id(), claim.token(), claim.workspaceId(), 0, Duration.ZERO, null, null);
  }

  /** PostgreSQL takes no NUL, and a message is for people. */
  private static String printable(String message) {
    String clean = message.replace('\0', ' ').strip();
    return clean.length() <= 1000 ? clean : clean.substring(0, 1000) + "…";
  }
}
