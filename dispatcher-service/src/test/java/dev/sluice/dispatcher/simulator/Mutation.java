package dev.sluice.dispatcher.simulator;

import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.FailureCode;
import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.start.StartOutcome;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** A mistake somebody could make, to show that the simulator would notice it. */
class Mutation {
  /** What is shipped. */
  static final Mutation NONE = new Mutation();

  /** What a statement becomes. */
  String sql(String sql) {
    return sql;
  }

  String workflowId(Claim claim) {
    return ExecutionIds.workflowId(claim.id());
  }

  StartOutcome outcome(StartOutcome outcome) {
    return outcome;
  }

  /** True: a transaction without an answer counts as one that did nothing. */
  boolean ignoresDoubt() {
    return false;
  }

  /** Replaces parts of statements, and insists that each part was there. */
  static final class OfSql extends Mutation {
    private final Map<String, String> replacements;
    private final Map<String, Integer> hits = new HashMap<>();

    OfSql(Map<String, String> replacements) {
      this.replacements = replacements;
    }

    @Override
    String sql(String sql) {
      String changed = sql;
      for (var replacement : replacements.entrySet()) {
        if (changed.contains(replacement.getKey())) {
          synchronized (hits) {
            hits.merge(replacement.getKey(), 1, Integer::sum);
          }
          changed = changed.replace(replacement.getKey(), replacement.getValue());
        }
      }
      return changed;
    }

    void assertApplied() {
      for (String part : replacements.keySet()) {
        if (!hits.containsKey(part)) {
          throw new AssertionError("no statement has this any more, mend the mutation: " + part);
        }
      }
    }
  }

  /** Under READ COMMITTED the count then uses a snapshot from before the lock was granted. */
  static OfSql countInTheLockingStatement() {
    return new OfSql(
        Map.of(
            "order by id for no key update",
            "order by id",
            "join workspace w on w.id = a.workspace_id\n    join plan",
            "join (select * from workspace where id = any(select workspace_id from asked) for no"
                + " key update) w on w.id = a.workspace_id\n"
                + "    join plan"));
  }

  /** Calls another function of the schema. */
  static OfSql callInstead(String function, String other) {
    return new OfSql(Map.of("from " + function + "(", "from " + other + "("));
  }

  static OfSql settleWithoutTheToken() {
    return new OfSql(
        Map.of("and q.state = 'CLAIMED' and q.claim_token = s.token", "and q.state = 'CLAIMED'"));
  }

  static Mutation newWorkflowIdOnEveryTry() {
    return new Mutation() {
      private final Map<UUID, Integer> tries = new HashMap<>();

      @Override
      String workflowId(Claim claim) {
        int n = tries.merge(claim.id(), 1, Integer::sum);
        String id = ExecutionIds.workflowId(claim.id());
        return n == 1 ? id : id + "-" + n;
      }
    };
  }

  static Mutation releaseTheSlotOnUnknown() {
    return new Mutation() {
      @Override
      StartOutcome outcome(StartOutcome outcome) {
        return outcome instanceof StartOutcome.Unknown
            ? new StartOutcome.Rejected(FailureCode.START_REJECTED, "no answer")
            : outcome;
      }
    };
  }

  static Mutation countAnOutageAsAnAttempt() {
    return new Mutation() {
      @Override
      StartOutcome outcome(StartOutcome outcome) {
        return outcome instanceof StartOutcome.Outage
            ? new StartOutcome.Rejected(FailureCode.START_REJECTED, "away")
            : outcome;
      }
    };
  }

  static Mutation takeAnUnansweredCommitForFailed() {
    return new Mutation() {
      @Override
      boolean ignoresDoubt() {
        return true;
      }
    };
  }
}
