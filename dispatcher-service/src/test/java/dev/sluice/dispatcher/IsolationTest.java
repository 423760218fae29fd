package dev.sluice.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.contracts.Signal;
import dev.sluice.dispatcher.start.StartQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** One workspace with a hundred times the load and a large limit does not delay another. */
class IsolationTest {
  private static final int BURST = 500;

  /** {@code sluice.start.max-claimed-per-workspace}, four times while they go that fast. */
  private static final int LARGEST_CLAIMED = 4 * 64;

  private static final int WORKSPACES_PER_BATCH = 200; // sluice.admit.workspaces-per-batch

  private final Sluice sluice = Sluice.shared();

  @Test
  void aQuietWorkspaceDoesNotWaitForTheBurstOfAnother() {
    String busy = sluice.workspace("PRO");
    String quiet = sluice.workspace("FREE");
    change("update workspace set concurrency_limit = 5000, paused_at = now() where id = ?", busy);
    UUID last = null;
    for (int i = 0; i < BURST; i++) {
      last = sluice.enqueue(busy, "{}");
    }
    sluice.awaitState(last, "PENDING");
    change("update workspace set paused_at = null where id = ?", busy);

    UUID id = sluice.enqueue(quiet, "{}");
    sluice.awaitState(id, "DISPATCHED");
    int inMemory = sluice.bean(StartQueue.class).size();
    long unstarted =
        sluice
            .jdbc()
            .sql(
                "select count(*) from workflow_execution_queue where workspace_id = ? and state ="
                    + " 'PENDING'")
            .param(busy)
            .query(Long.class)
            .single();

    assertThat(unstarted).as("of the burst, when the quiet one had started").isPositive();
    assertThat(inMemory).as("in memory").isLessThanOrEqualTo(LARGEST_CLAIMED + 1);
    stop(busy);
  }

  /** With a second's rest after each batch that found nothing it would be 20 seconds. */
  @Test
  void whoIsLookedAtInVainKeepsNobodyWaiting() {
    String workspace = sluice.workspace("FREE");
    change("update workspace set paused_at = now() where id = ?", workspace);
    UUID id = sluice.enqueue(workspace, "{}");
    sluice.awaitState(id, "PENDING");
    sluice
        .jdbc()
        .sql("update workspace set paused_at = null where id = ?")
        .param(workspace)
        .update(); // and nobody is told

    var pipeline = sluice.bean(Pipeline.class);
    for (int i = 0; i < 20 * WORKSPACES_PER_BATCH; i++) {
      pipeline.touch("nobody-waits-in-" + i);
    }
    pipeline.touch(workspace);

    await().atMost(Duration.ofSeconds(8)).until(() -> sluice.state(id).equals("DISPATCHED"));
  }

  /** One after the other, so that they come as a stream of small batches and are held back. */
  @Test
  void aStreamIntoAFullWorkspaceIsInLineInItsOrder() {
    String full = sluice.workspace("FREE");
    UUID running = sluice.enqueue(full, "{\"wait\":true}");
    sluice.awaitState(running, "DISPATCHED");
    var sent = new ArrayList<UUID>();
    for (int i = 0; i < 200; i++) {
      sent.add(sluice.enqueue(full, "{}"));
    }
    UUID elsewhere = sluice.enqueue(sluice.workspace("FREE"), "{}");
    sluice.awaitState(elsewhere, "DISPATCHED");
    sluice.awaitState(sent.getLast(), "PENDING");

    assertThat(
            sluice
                .jdbc()
                .sql(
                    "select id from workflow_execution_queue where workspace_id = ? and state ="
                        + " 'PENDING' order by seq")
                .param(full)
                .query(UUID.class)
                .list())
        .isEqualTo(sent);
    sluice.letGo(running);
    stop(full);
  }

  /** What has started runs to its end; the rest of the burst would only take time. */
  private void stop(String workspace) {
    change("update workspace set paused_at = now() where id = ?", workspace);
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                sluice
                    .jdbc()
                    .sql(
                        "select count(*) = 0 from workflow_execution where workspace_id = ? and"
                            + " status = 'RUNNING'")
                    .param(workspace)
                    .query(Boolean.class)
                    .single());
  }

  private void change(String sql, String workspace) {
    sluice.jdbc().sql(sql).param(workspace).update();
    sluice.signal(new Signal.CapacityChanged(workspace));
  }
}
