package dev.sluice.dispatcher.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HeldBackTest {
  private static final TopicPartition ONE = new TopicPartition(Topics.REQUESTS, 1);
  private static final TopicPartition TWO = new TopicPartition(Topics.REQUESTS, 2);
  private static final TopicPartition SIGNALS = new TopicPartition(Topics.SIGNALS, 1);
  private static final Set<TopicPartition> OURS = Set.of(ONE, TWO, SIGNALS);
  private static final Duration LONG = Duration.ofMillis(100);

  private final Map<TopicPartition, Long> ends = new HashMap<>();
  private long now = Duration.ofDays(1).toNanos();
  private final Set<String> full = new HashSet<>(Set.of("full", "alsoFull"));
  private final List<Storing> stored = new ArrayList<>();
  private final List<ConsumerRecord<byte[], byte[]>> passedBy = new ArrayList<>();
  private boolean isDatabaseAway;
  private final HeldBack heldBack =
      new HeldBack(full::contains, this::storeAside, this::store, () -> now);

  /** By another thread, which takes as long as we like. */
  private record Storing(
      List<ConsumerRecord<byte[], byte[]>> records, CompletableFuture<?> result) {
    List<Long> offsets() {
      return records.stream().map(ConsumerRecord::offset).toList();
    }
  }

  private CompletableFuture<?> storeAside(List<ConsumerRecord<byte[], byte[]>> records) {
    var storing = new Storing(records, new CompletableFuture<@Nullable Void>());
    stored.add(storing);
    return storing.result();
  }

  private void store(List<ConsumerRecord<byte[], byte[]>> records) {
    if (isDatabaseAway) {
      throw new IllegalStateException("no database");
    }
    passedBy.addAll(records);
  }

  @Test
  void theFirstIsHandedOnAtOnce() {
    assertThat(offsets(ONE, pass(ONE, "full"))).containsExactly(0L);
    assertThat(heldBack.atMost(LONG)).isEqualTo(LONG);
  }

  @Test
  void aStreamIntoAFullWorkspaceBecomesOneBatchInItsOrder() {
    pass(ONE, "full");
    millisPass(1);
    assertThat(pass(ONE, "full").count()).isZero();
    millisPass(2);
    ConsumerRecords<byte[], byte[]> nothing = pass(ONE, "full", "alsoFull");
    assertThat(nothing.count()).isZero();
    assertThat(nothing.nextOffsets()).as("what is held has not been read").isEmpty();
    assertThat(heldBack.atMost(LONG)).isEqualTo(HeldBack.LONGEST.minusMillis(2));

    millisPass(18);
    assertThat(pass().count()).as("another thread stores them").isZero();
    assertThat(stored).extracting(Storing::offsets).containsExactly(List.of(1L, 2L, 3L));
    assertThat(heldBack.atMost(LONG))
        .as("its offsets are committed soon after")
        .isEqualTo(HeldBack.LONGEST);

    stored.getFirst().result().complete(null);
    ConsumerRecords<byte[], byte[]> batch = pass();
    assertThat(offsets(ONE, batch)).containsExactly(1L, 2L, 3L);
    assertThat(batch).as("not to be stored again").allMatch(StoredRecord.class::isInstance);
    assertThat(batch.nextOffsets()).containsEntry(ONE, new OffsetAndMetadata(4));
    assertThat(heldBack.atMost(LONG)).isEqualTo(LONG);
    assertThat(pass().count()).as("handed on once").isZero();
  }

  @Test
  void whileABatchIsStoredTheNextOneGathersAndOthersGoOn() {
    storing(ONE);
    pass(ONE, "full");
    assertThat(offsets(TWO, pass(TWO, "roomy"))).containsExactly(0L);
    millisPass(20);
    assertThat(pass().count()).isZero();
    assertThat(stored).as("one at a time").hasSize(1);
    assertThat(heldBack.atMost(LONG)).as("no loop without a rest").isPositive();

    stored.getFirst().result().complete(null);
    assertThat(offsets(ONE, pass())).containsExactly(1L);
    assertThat(stored).extracting(Storing::offsets).containsExactly(List.of(1L), List.of(2L));
  }

  @Test
  void whoMayStartPassesThoseWhoAreStoredAside() {
    storing(ONE);
    assertThat(pass(ONE, "full", "roomy", "full").count()).isZero();
    assertThat(passedBy).extracting(ConsumerRecord::offset).containsExactly(3L);

    stored.getFirst().result().complete(null);
    assertThat(offsets(ONE, pass())).as("what is behind is not committed yet").containsExactly(1L);
    millisPass(20);
    pass();
    stored.getLast().result().complete(null);
    ConsumerRecords<byte[], byte[]> batch = pass();
    assertThat(offsets(ONE, batch)).containsExactly(2L, 3L, 4L);
    assertThat(batch).allMatch(StoredRecord.class::isInstance);
    assertThat(batch.nextOffsets()).containsEntry(ONE, new OffsetAndMetadata(5));
  }

  @Test
  void whoIsBehindAnotherOfItsWorkspaceStaysBehindIt() throws Exception {
    storing(ONE);
    pass(ONE, "full", "alsoFull");
    full.remove("full");
    try (var threads = Executors.newSingleThreadScheduledExecutor()) {
      var _ =
          threads.schedule(
              () -> stored.getFirst().result().complete(null), 50, TimeUnit.MILLISECONDS);
      ConsumerRecords<byte[], byte[]> batch = pass(ONE, "full", "roomy");
      assertThat(stored.getFirst().result()).isCompleted();
      assertThat(offsets(ONE, batch)).containsExactly(1L, 2L, 3L, 4L, 5L);
      assertThat(batch.records(ONE).stream().map(StoredRecord.class::isInstance))
          .containsExactly(true, false, false, false, false);
    }
    assertThat(passedBy).isEmpty();
  }

  @Test
  void whereWhoMayStartCannotBeStoredAllGoOnInTheirOrderAndAreTriedAgain() {
    pass(ONE, "full");
    pass(ONE, "full");
    isDatabaseAway = true;
    ConsumerRecords<byte[], byte[]> batch = pass(ONE, "roomy");
    assertThat(offsets(ONE, batch)).containsExactly(1L, 2L);
    assertThat(batch).noneMatch(StoredRecord.class::isInstance);
  }

  @Test
  void whenNobodyWaitsAnyMoreAllAreHandedOnAsEver() {
    pass(ONE, "full");
    pass(ONE, "full");
    pass(ONE, "roomy");
    millisPass(20);
    pass();
    pass(ONE, "roomy");
    assertThat(passedBy).extracting(ConsumerRecord::offset).containsExactly(2L, 3L);
    stored.getFirst().result().complete(null);
    assertThat(offsets(ONE, pass())).containsExactly(1L, 2L);
    ConsumerRecords<byte[], byte[]> batch = pass(ONE, "roomy");
    assertThat(offsets(ONE, batch)).containsExactly(3L, 4L);
    assertThat(batch.records(ONE).stream().map(StoredRecord.class::isInstance))
        .containsExactly(true, false);
    assertThat(heldBack.isGathering()).isFalse();
  }

  @Test
  void whatCouldNotBeStoredIsTriedAgainAndNobodyOvertakesIt() {
    storing(ONE);
    pass(ONE, "full");
    millisPass(20);
    stored.getFirst().result().completeExceptionally(new IllegalStateException("no database"));
    ConsumerRecords<byte[], byte[]> batch = pass();
    assertThat(offsets(ONE, batch)).containsExactly(1L, 2L);
    assertThat(batch).noneMatch(StoredRecord.class::isInstance);
    assertThat(stored).hasSize(1);
  }

  @Test
  void tooManyAreNotHeldBackWhateverIsStored() throws Exception {
    storing(ONE);
    try (var threads = Executors.newSingleThreadScheduledExecutor()) {
      var _ =
          threads.schedule(
              () -> stored.getFirst().result().complete(null), 50, TimeUnit.MILLISECONDS);
      String[] many = new String[HeldBack.MOST];
      Arrays.fill(many, "full");
      assertThat(offsets(ONE, pass(ONE, many))).containsExactly(1L);
    }
    assertThat(stored.getLast().records()).hasSize(HeldBack.MOST);
  }

  @Test
  void oneNowAndThenIsHandedOnAtOnce() {
    pass(ONE, "full");
    millisPass(21);
    assertThat(pass(ONE, "full").count()).isOne();
  }

  @Test
  void whoMayStartPassesThoseWhoGather() {
    pass(ONE, "full");
    pass(ONE, "full");
    assertThat(pass(ONE, "roomy").count()).isZero();
    assertThat(passedBy).extracting(ConsumerRecord::offset).containsExactly(2L);
    millisPass(20);
    pass();
    assertThat(stored).extracting(Storing::offsets).containsExactly(List.of(1L, 2L));
  }

  @Test
  void whoMayStartElsewhereIsNotKeptWaitingAndTakesNobodyAlong() {
    pass(ONE, "full");
    pass(ONE, "full");
    ConsumerRecords<byte[], byte[]> batch = pass(TWO, "roomy");
    assertThat(batch.partitions()).containsExactly(TWO);
    assertThat(batch.nextOffsets()).containsOnlyKeys(TWO);
    millisPass(20);
    pass();
    assertThat(stored).extracting(Storing::offsets).containsExactly(List.of(1L));
  }

  @Test
  void plentyIsHandedOnAtOnce() {
    pass(ONE, "full");
    while (stored.isEmpty()) {
      pass(ONE, "full");
    }
    assertThat(stored.getFirst().records()).hasSize(HeldBack.PLENTY);
  }

  @Test
  void signalsAreNeverKeptWaiting() {
    pass(SIGNALS, "full");
    assertThat(pass(SIGNALS, "full").count()).isOne();
  }

  @Test
  void aRecordWithoutAKeyIsNobodysThatHasToWait() {
    pass(ONE, new @Nullable String[] {null});
    assertThat(pass(ONE, new @Nullable String[] {null}).count()).isOne();
  }

  @Test
  void whatSomebodyWentBackForIsForgotten() {
    pass(ONE, "full");
    pass(ONE, "full");
    heldBack.forget(ONE);
    millisPass(20);
    assertThat(pass().count()).isZero();
    assertThat(stored).isEmpty();
  }

  @Test
  void whatSomebodyWentBackForWhileItWasStoredIsForgotten() {
    storing(ONE);
    heldBack.forget(ONE);
    stored.getFirst().result().complete(null);
    assertThat(pass().count()).isZero();
  }

  @Test
  void whatARebalanceHasTakenAwayIsItsNewOwners() {
    pass(ONE, "full");
    pass(ONE, "full");
    millisPass(20);
    assertThat(heldBack.pass(fetched(TWO, "roomy"), Set.of(TWO)).partitions()).containsExactly(TWO);
    assertThat(pass().count()).isZero();
  }

  @Test
  void whatARebalanceTookAwayWhileItWasStoredIsNotCommitted() {
    storing(ONE);
    stored.getFirst().result().complete(null);
    assertThat(heldBack.pass(fetched(TWO, "roomy"), Set.of(TWO)).partitions()).containsExactly(TWO);
  }

  /** The second of this partition is being stored. */
  private void storing(TopicPartition partition) {
    pass(partition, "full");
    pass(partition, "full");
    millisPass(20);
    pass();
    assertThat(stored).hasSize(1);
  }

  private ConsumerRecords<byte[], byte[]> pass() {
    return heldBack.pass(new ConsumerRecords<>(Map.of(), Map.of()), OURS);
  }

  private ConsumerRecords<byte[], byte[]> pass(
      TopicPartition partition, @Nullable String... workspaces) {
    return heldBack.pass(fetched(partition, workspaces), OURS);
  }

  private static List<Long> offsets(
      TopicPartition partition, ConsumerRecords<byte[], byte[]> records) {
    return records.records(partition).stream().map(ConsumerRecord::offset).toList();
  }

  private ConsumerRecords<byte[], byte[]> fetched(
      TopicPartition partition, @Nullable String... workspaces) {
    long offset = ends.getOrDefault(partition, 0L);
    var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
    for (String workspace : workspaces) {
      records.add(
          new ConsumerRecord<byte[], byte[]>(
              partition.topic(),
              partition.partition(),
              offset++,
              workspace == null ? null : workspace.getBytes(UTF_8),
              new byte[0]));
    }
    ends.put(partition, offset);
    return new ConsumerRecords<>(
        Map.of(partition, records), Map.of(partition, new OffsetAndMetadata(offset)));
  }

  private void millisPass(long millis) {
    now += Duration.ofMillis(millis).toNanos();
  }
}
