package dev.sluice.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every cap besides the workspace's own, on real parts; the tightest wins. */
class CapsTest {
  private static final String WAIT = "\"input\":{\"wait\":true}";

  private final Sluice sluice = Sluice.shared();

  @Test
  @Tag("Q27")
  void noMoreAreOpenWithAKeyThanTheCallerAllowsAndOthersPassBy() {
    String ws = sluice.workspace("ENTERPRISE");
    String user = "\"limits\":[{\"key\":\"user:42\",\"max\":2}],";
    List<UUID> ofUser = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      ofUser.add(sluice.enqueue(ws, user + WAIT, "u" + i));
    }
    UUID other =
        sluice.enqueue(ws, "\"limits\":[{\"key\":\"user:7\",\"max\":2}],\"input\":{}", "o");
    UUID plain = sluice.enqueue(ws, "{}");
    sluice.awaitStatus(other, "COMPLETED");
    sluice.awaitStatus(plain, "COMPLETED");
    sluice.awaitState(ofUser.get(1), "DISPATCHED");
    assertThat(sluice.state(ofUser.get(2))).isEqualTo("PENDING");
    assertThat(sluice.state(ofUser.get(3))).isEqualTo("PENDING");

    for (UUID id : ofUser) {
      sluice.awaitState(id, "DISPATCHED");
      sluice.letGo(id);
    }
    ofUser.forEach(id -> sluice.awaitStatus(id, "COMPLETED"));
    assertThat(sluice.mostOpenAtOnce(ofUser)).isEqualTo(2);
  }

  @Test
  @Tag("Q27")
  void whatAnItemCannotUseYetGoesToTheNextThatCan() {
    String ws = sluice.workspace("ENTERPRISE");
    sluice
        .jdbc()
        .sql("update workflow_definition set concurrency_limit = 1 where workspace_id = ?")
        .param(ws)
        .update();
    sluice.definition(ws, "free");
    String limited = "\"limits\":[{\"key\":\"u\",\"max\":1}],";
    UUID running = sluice.enqueue(ws, WAIT, "running");
    sluice.awaitState(running, "DISPATCHED");
    UUID first = sluice.enqueue(ws, limited + WAIT, "first");
    UUID second = sluice.enqueue(ws, "\"input\":{}", "second");
    await().until(() -> parkedOn(second).equals("definition"));
    UUID holder = enqueueFree(ws, limited + WAIT, "holder");
    sluice.awaitState(holder, "DISPATCHED");

    sluice.letGo(running); // wakes the first, which has to wait for the holder of its key now
    await()
        .atMost(Duration.ofSeconds(5))
        .until(() -> sluice.workflowStatus(second).equals("COMPLETED"));
    assertThat(parkedOn(first)).isEqualTo("limit");
    sluice.letGo(holder);
    sluice.awaitState(first, "DISPATCHED");
    sluice.letGo(first);
  }

  @Test
  @Tag("L4")
  void withinAPartitionKeyTheOrderHoldsWhateverTheFirstWaitsFor() {
    String ws = sluice.workspace("ENTERPRISE");
    sluice
        .jdbc()
        .sql("update workflow_definition set concurrency_limit = 1 where workspace_id = ?")
        .param(ws)
        .update();
    sluice.definition(ws, "free");
    UUID running = sluice.enqueue(ws, WAIT, "running");
    sluice.awaitState(running, "DISPATCHED");
    UUID first = sluice.enqueue(ws, "\"partitionKey\":\"k\",\"input\":{}", "first");
    await().until(() -> parkedOn(first).equals("definition"));
    UUID second = enqueueFree(ws, "\"partitionKey\":\"k\",\"input\":{}", "second");
    await().until(() -> parkedOn(second).equals("partition"));
    sluice.letGo(running);
    sluice.awaitStatus(second, "COMPLETED");
    assertThat(sluice.span(first).close()).isBeforeOrEqualTo(sluice.span(second).start());
  }

  @Test
  void startsAreSpreadByTheWorkspacesStartRate() {
    String ws = sluice.workspace("ENTERPRISE");
    sluice
        .jdbc()
        .sql("update workspace set starts_per_second = 5, start_burst = 2 where id = ?")
        .param(ws)
        .update();
    var ids = new ArrayList<UUID>();
    for (int i = 0; i < 8; i++) {
      ids.add(sluice.enqueue(ws, "{}"));
    }
    ids.forEach(id -> sluice.awaitStatus(id, "COMPLETED"));
    // Two at once, six more at five a second.
    var took =
        Duration.between(sluice.span(ids.getFirst()).start(), sluice.span(ids.getLast()).start());
    assertThat(took).isBetween(Duration.ofMillis(1100), Duration.ofSeconds(6));
  }

  @Test
  void allWorkspacesTogetherKeepToTheGlobalCapAndShareWhatThereIs() {
    String one = sluice.workspace("ENTERPRISE");
    String two = sluice.workspace("ENTERPRISE");
    cap(held() + 3);
    try {
      var ids = new ArrayList<UUID>();
      for (int i = 0; i < 12; i++) {
        ids.add(sluice.enqueue(i % 2 == 0 ? one : two, "{\"sleepMs\":100}"));
      }
      ids.forEach(id -> sluice.awaitStatus(id, "COMPLETED"));
      assertThat(sluice.mostOpenAtOnce(ids)).isLessThanOrEqualTo(3);
    } finally {
      cap(null);
    }
    UUID after = sluice.enqueue(one, "{}");
    sluice.awaitStatus(after, "COMPLETED");
  }

  @Test
  void whereSlotsAreScarceAPlansWeightIsItsShare() {
    String light = sluice.workspace("FREE"); // weight 1
    String heavy = sluice.workspace("ENTERPRISE"); // weight 4
    sluice
        .jdbc()
        .sql("update workspace set concurrency_limit = 20 where id = ?")
        .param(light)
        .update();
    int held = held();
    cap(held);
    try {
      var ids = new ArrayList<UUID>();
      var ofLight = new ArrayList<UUID>();
      for (int i = 0; i < 20; i++) {
        ofLight.add(sluice.enqueue(light, "{\"sleepMs\":20}"));
        ids.add(ofLight.getLast());
        ids.add(sluice.enqueue(heavy, "{\"sleepMs\":20}"));
      }
      ids.forEach(id -> sluice.awaitState(id, "PENDING"));
      cap(held + 2);
      ids.forEach(id -> sluice.awaitStatus(id, "COMPLETED"));
      long light20 =
          ids.stream()
              .sorted(Comparator.comparing(id -> sluice.span(id).start()))
              .limit(20)
              .filter(ofLight::contains)
              .count();
      assertThat(light20).as("of the first 20, a fifth").isBetween(2L, 6L);
    } finally {
      cap(null);
    }
  }

  @Test
  void moreThanTheBacklogLimitFailsAndSaysSo() {
    String ws = sluice.workspace("FREE");
    sluice.jdbc().sql("update workspace set backlog_limit = 3 where id = ?").param(ws).update();
    UUID running = sluice.enqueue(ws, "{\"wait\":true}");
    sluice.awaitState(running, "DISPATCHED");
    var ids = new ArrayList<UUID>();
    for (int i = 0; i < 5; i++) {
      ids.add(sluice.enqueue(ws, "{}"));
    }
    sluice.awaitState(ids.get(4), "FAILED");
    assertThat(sluice.failure(ids.get(4))).startsWith("BACKLOG_FULL").contains("backlogLimit");
    assertThat(ids.stream().map(sluice::state))
        .containsExactly("PENDING", "PENDING", "PENDING", "FAILED", "FAILED");

    sluice.jdbc().sql("update workspace set backlog_limit = 10 where id = ?").param(ws).update();
    sluice.signal(new Signal.CapacityChanged(ws));
    UUID more = sluice.enqueue(ws, "{}");
    sluice.awaitState(more, "PENDING");
    sluice.letGo(running);
    Stream.concat(ids.stream().limit(3), Stream.of(more))
        .forEach(id -> sluice.awaitStatus(id, "COMPLETED"));
  }

  private UUID enqueueFree(String ws, String fields, String key) {
    sluice.publish(
        ws,
        EventTypes.REQUESTED,
        "{\"workspaceId\":\"%s\",\"definitionId\":\"free\",\"idempotencyKey\":\"%s\",%s}"
            .formatted(ws, key, fields));
    return ExecutionIds.ofKey(ws, key);
  }

  private String parkedOn(UUID id) {
    return sluice
        .jdbc()
        .sql("select coalesce(parked_on, '') from workflow_execution_queue where id = ?")
        .param(id)
        .query(String.class)
        .optional()
        .orElse("");
  }

  private int held() {
    return sluice
        .jdbc()
        .sql("select count(*) from workflow_execution where status = 'RUNNING'")
        .query(Integer.class)
        .single();
  }

  private void cap(Integer limit) {
    sluice
        .jdbc()
        .sql("update system_limit set concurrency_limit = ?")
        .param(1, limit, java.sql.Types.INTEGER)
        .update();
  }
}
