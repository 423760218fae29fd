package dev.sluice.dispatcher.finish;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.SettableFuture;
import dev.sluice.contracts.WorkflowStatus;
import dev.sluice.dispatcher.finish.CloseSource.Heard;
import dev.sluice.dispatcher.ledger.FinishLedger.Close;
import dev.sluice.dispatcher.simulator.ManualTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CloseWatcherTest {
  private static final Exception AWAY = new IllegalStateException("away");
  private static final int LONG_POLLS = 3;

  private final ManualTimer.Clock clock = new ManualTimer.Clock();
  private final ManualTimer timer = new ManualTimer(clock);
  private final Map<UUID, SettableFuture<Heard>> polls = new LinkedHashMap<>();
  private final List<Close> closed = new ArrayList<>();
  private final List<UUID> unknown = new ArrayList<>();
  private boolean busy;
  private boolean serverIsAway;
  private final CloseWatcher watcher =
      new CloseWatcher(
          (id, workspace, longest) -> {
            var answer = SettableFuture.<Heard>create();
            polls.put(id, answer);
            if (serverIsAway) {
              answer.setException(AWAY);
            }
            return answer;
          },
          closed::add,
          (id, workspace) -> unknown.add(id),
          new FinishSettings(
              LONG_POLLS, Duration.ofSeconds(20), Duration.ofSeconds(2), Duration.ofSeconds(1)),
          timer,
          () -> busy);

  @Test
  void aCloseThatIsHeardIsPassedOn() {
    UUID id = UUID.randomUUID();
    watcher.watch(id, "a");
    close(id, WorkflowStatus.COMPLETED);

    assertThat(closed).extracting(Close::id).containsExactly(id);
  }

  @Test
  void noMoreAreListenedToThanThereArePolls() {
    List<UUID> ids = watched("a", 5);
    assertThat(polls.keySet()).containsExactlyElementsOf(ids.subList(0, LONG_POLLS));

    polls.get(ids.getFirst()).set(new Heard.StillOpen());

    assertThat(polls).containsKey(ids.get(LONG_POLLS));
  }

  @Test
  void aWorkflowOfAFullWorkspaceTakesThePlaceOfAnother() {
    watched("a", LONG_POLLS);
    UUID full = UUID.randomUUID();
    watcher.watch(full, "b");
    assertThat(polls).doesNotContainKey(full);

    watcher.urgent("b");

    assertThat(polls).containsKey(full);
  }

  @Test
  void fullWorkspacesLeaveAPollToTheOthers() {
    watcher.urgent("full");
    UUID other = UUID.randomUUID();
    List<UUID> full = watched("full", 10);
    watcher.watch(other, "quiet");
    watcher.urgent("full");
    assertThat(polls).doesNotContainKey(other);

    polls.get(full.getFirst()).set(new Heard.StillOpen());

    assertThat(polls).containsKey(other);
    assertThat(polls.get(other).isCancelled()).isFalse();
  }

  @Test
  void whileTemporalIsBusyOnlyAFewOfACrowdAreListenedTo() {
    List<UUID> ids = watched("a", 5);
    busy = true;
    stillOpen(ids.subList(0, LONG_POLLS));
    assertThat(polls.values()).filteredOn(poll -> !poll.isDone()).hasSize(1);

    busy = false;
    stillOpen(polls.keySet().stream().filter(id -> !polls.get(id).isDone()).toList());
    assertThat(polls.values()).filteredOn(poll -> !poll.isDone()).hasSize(LONG_POLLS);
  }

  @Test
  void whileTemporalIsBusyFullWorkspacesAreListenedToAllTheSame() {
    busy = true;
    watched("a", 5);
    List<UUID> full = watched("full", 2);
    watcher.urgent("full");

    assertThat(polls).containsKeys(full.getFirst(), full.getLast());
  }

  @Test
  void whenTheServerGoesAwayACrowdIsAskedForAgain() {
    List<UUID> ids = watched("a", 20_000);
    serverIsAway = true;

    List.copyOf(polls.values()).forEach(poll -> poll.setException(AWAY));
    assertThat(polls.keySet()).containsExactlyElementsOf(ids);

    serverIsAway = false;
    polls.clear();
    clock.advance(1_000);
    while (timer.hasDue()) {
      timer.runNext();
    }
    assertThat(polls).hasSize(LONG_POLLS);
  }

  private void stillOpen(List<UUID> ids) {
    ids.stream().map(polls::get).toList().forEach(poll -> poll.set(new Heard.StillOpen()));
  }

  @Test
  void oneThatIsSaidToHaveClosedWaitsForNoPoll() {
    watched("full", 10);
    watcher.urgent("full");
    UUID hinted = UUID.randomUUID();
    watcher.hint(hinted, "quiet");

    assertThat(polls).containsKey(hinted);
    close(hinted, WorkflowStatus.TERMINATED);
    assertThat(closed).extracting(Close::id).containsExactly(hinted);
  }

  @Test
  void aWorkflowThatTemporalDoesNotKnowIsClosedOnceItWasStarted() {
    UUID id = UUID.randomUUID();
    watcher.watch(id, "a");
    close(id, WorkflowStatus.NOT_FOUND);

    assertThat(closed).extracting(Close::status).containsExactly(WorkflowStatus.NOT_FOUND);
  }

  @Test
  void aNoticeBeforeTheStartClosesNothing() {
    UUID id = UUID.randomUUID();
    watcher.hint(id, "a");
    close(id, WorkflowStatus.NOT_FOUND);

    assertThat(closed).isEmpty();
    assertThat(unknown).containsExactly(id);
    assertThat(watcher.size()).isZero();
  }

  @Test
  void anAnswerFromBeforeTheStartWasKnownIsAskedForAgain() {
    UUID id = UUID.randomUUID();
    watcher.hint(id, "a");
    var before = polls.remove(id);
    watcher.watch(id, "a");
    before.set(heard(id, WorkflowStatus.NOT_FOUND));
    assertThat(closed).isEmpty();

    close(id, WorkflowStatus.COMPLETED);

    assertThat(closed).extracting(Close::status).containsExactly(WorkflowStatus.COMPLETED);
  }

  @Test
  void whenNobodyAnswersItIsAskedAgainAfterAPause() {
    UUID id = UUID.randomUUID();
    watcher.watch(id, "a");
    polls.remove(id).set(new Heard.Nothing(AWAY));
    assertThat(polls).isEmpty();

    clock.advance(1_000);
    timer.runNext();

    assertThat(polls).containsKey(id);
  }

  @Test
  void whatBelongsToAnotherDispatcherIsForgotten() {
    List<UUID> ids = watched("a", 1);
    watcher.forgetAll(workspace -> workspace.equals("a"));

    assertThat(watcher.size()).isZero();
    assertThat(polls.get(ids.getFirst()).isCancelled()).isTrue();
  }

  private List<UUID> watched(String workspace, int count) {
    var ids = new ArrayList<UUID>();
    for (int i = 0; i < count; i++) {
      ids.add(UUID.randomUUID());
      watcher.watch(ids.getLast(), workspace);
    }
    return ids;
  }

  private void close(UUID id, WorkflowStatus status) {
    polls.get(id).set(heard(id, status));
  }

  private static Heard heard(UUID id, WorkflowStatus status) {
    return new Heard.Closed(new Close(id, "a", status, null, null, null));
  }
}
