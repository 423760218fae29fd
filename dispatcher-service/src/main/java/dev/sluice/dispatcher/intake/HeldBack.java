package dev.sluice.dispatcher.intake;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.contracts.Topics;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * Records that gather for a moment before they are handed on. A burst into a full workspace comes
 * as hundreds of small batches a second, each a transaction of PostgreSQL, and none of them can
 * start anything; what they cost is taken from the neighbours. So where a partition brings nothing
 * but such requests, one batch after the other, they become one batch. The first that may start
 * takes all of its partition along, in their order. Whoever polls does not know of them, so their
 * offsets are not committed before they are stored.
 */
final class HeldBack {
  static final Duration LONGEST = Duration.ofMillis(20);

  /** So many are a batch worth its cost. */
  static final int PLENTY = 64;

  private final Predicate<String> isFull;
  private final LongSupplier nanoTime;

  /** When a partition last brought nothing but requests that have to wait. */
  private final Map<TopicPartition, Long> crowdedAt = new HashMap<>();

  private ConsumerRecords<byte[], byte[]> held = none();
  private long until;

  /**
   * @param isFull whether nothing of this workspace can start until something of it ends
   */
  HeldBack(Predicate<String> isFull, LongSupplier nanoTime) {
    this.isFull = isFull;
    this.nanoTime = nanoTime;
  }

  /**
   * What is to be handed on now.
   *
   * @param ours what a rebalance has taken away is its new owner's
   */
  ConsumerRecords<byte[], byte[]> pass(
      ConsumerRecords<byte[], byte[]> fetched, Collection<TopicPartition> ours) {
    long now = nanoTime.getAsLong();
    var crowded = new HashSet<TopicPartition>();
    for (TopicPartition partition : fetched.partitions()) {
      if (isStream(partition, fetched, now)) {
        crowded.add(partition);
      }
    }
    if (held.isEmpty() && crowded.isEmpty()) {
      return fetched;
    }
    if (held.isEmpty()) {
      until = now + LONGEST.toNanos();
    }
    ConsumerRecords<byte[], byte[]> all = Batches.join(held, fetched, ours);
    boolean over = now - until >= 0 || all.count() >= PLENTY;
    Predicate<TopicPartition> goesOn =
        over ? p -> true : p -> fetched.partitions().contains(p) && !crowded.contains(p);
    held = Batches.only(all, goesOn.negate());
    return Batches.only(all, goesOn);
  }

  private boolean isStream(
      TopicPartition partition, ConsumerRecords<byte[], byte[]> fetched, long now) {
    if (!partition.topic().equals(Topics.REQUESTS)
        || !fetched.records(partition).stream().allMatch(this::hasToWait)) {
      crowdedAt.remove(partition);
      return false;
    }
    Long before = crowdedAt.put(partition, now);
    return before != null && now - before <= LONGEST.toNanos();
  }

  private boolean hasToWait(ConsumerRecord<byte[], byte[]> received) {
    return received.key() != null && isFull.test(new String(received.key(), UTF_8));
  }

  /** Somebody goes back, or forward: what is held is not what comes next. */
  void forget(TopicPartition partition) {
    held = Batches.only(held, p -> !p.equals(partition));
  }

  /** How long may be waited for more. */
  Duration atMost(Duration timeout) {
    Duration left = Duration.ofNanos(Math.max(0, until - nanoTime.getAsLong()));
    return held.isEmpty() || left.compareTo(timeout) > 0 ? timeout : left;
  }

  private static ConsumerRecords<byte[], byte[]> none() {
    return new ConsumerRecords<>(Map.of(), Map.of());
  }
}
