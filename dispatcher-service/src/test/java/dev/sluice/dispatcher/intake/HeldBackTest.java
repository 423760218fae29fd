package dev.sluice.dispatcher.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  private final HeldBack heldBack = new HeldBack(Set.of("full", "alsoFull")::contains, () -> now);

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
    ConsumerRecords<byte[], byte[]> batch = pass();
    assertThat(offsets(ONE, batch)).containsExactly(1L, 2L, 3L);
    assertThat(batch.nextOffsets()).containsEntry(ONE, new OffsetAndMetadata(4));
    assertThat(heldBack.atMost(LONG)).isEqualTo(LONG);
    assertThat(pass().count()).as("handed on once").isZero();
  }

  @Test
  void oneNowAndThenIsHandedOnAtOnce() {
    pass(ONE, "full");
    millisPass(21);
    assertThat(pass(ONE, "full").count()).isOne();
  }

  @Test
  void whoMayStartTakesAllOfItsPartitionAlong() {
    pass(ONE, "full");
    pass(ONE, "full");
    assertThat(offsets(ONE, pass(ONE, "roomy"))).containsExactly(1L, 2L);
    assertThat(heldBack.atMost(LONG)).isEqualTo(LONG);
  }

  @Test
  void whoMayStartElsewhereIsNotKeptWaitingAndTakesNobodyAlong() {
    pass(ONE, "full");
    pass(ONE, "full");
    ConsumerRecords<byte[], byte[]> batch = pass(TWO, "roomy");
    assertThat(batch.partitions()).containsExactly(TWO);
    assertThat(batch.nextOffsets()).containsOnlyKeys(TWO);
    millisPass(20);
    assertThat(offsets(ONE, pass())).containsExactly(1L);
  }

  @Test
  void plentyIsHandedOnAtOnce() {
    pass(ONE, "full");
    int batches = 0;
    while (pass(ONE, "full").isEmpty()) {
      batches++;
    }
    assertThat(batches).isEqualTo(HeldBack.PLENTY - 1);
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
  }

  @Test
  void whatARebalanceHasTakenAwayIsItsNewOwners() {
    pass(ONE, "full");
    pass(ONE, "full");
    millisPass(20);
    assertThat(heldBack.pass(fetched(TWO, "roomy"), Set.of(TWO)).partitions()).containsExactly(TWO);
    assertThat(pass().count()).isZero();
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
