package dev.sluice.dispatcher.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;

import dev.sluice.contracts.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records that gather for a moment before they are handed on. A burst into a full workspace comes
 * as hundreds of small batches a second, each a transaction of PostgreSQL, and none of them can
 * start anything; what they cost is taken from the neighbours. So where a partition brings such
 * requests, time and again, they become one batch, which is stored {@link Aside}. Whoever may start
 * passes them by, in their partition and in others: only those of one workspace come in an order.
 *
 * <p>Whoever polls does not know of what is held, so its offsets are not committed before it is
 * stored, nor are those of who passed by: a {@link StoredRecord} keeps the place.
 */
final class HeldBack {
  private static final Logger log = LoggerFactory.getLogger(HeldBack.class);

  static final Duration LONGEST = Duration.ofMillis(20);

  /** So many are a batch worth its cost. */
  static final int PLENTY = 64;

  /** So many are not held back beside a batch that is still being stored: Kafka keeps the rest. */
  static final int MOST = 1_000;

  /** Between two looks at whether a batch is stored, while the next one waits for it. */
  private static final Duration PAUSE = Duration.ofMillis(1);

  private final Predicate<String> isFull;
  private final Aside.Storing storing;
  private final Consumer<List<ConsumerRecord<byte[], byte[]>>> store;
  private final LongSupplier nanoTime;

  /** When a partition last brought a request that has to wait. */
  private final Map<TopicPartition, Long> crowdedAt = new HashMap<>();

  private ConsumerRecords<byte[], byte[]> held = none();
  private long until;
  private @Nullable Aside aside;

  /**
   * @param isFull whether nothing of this workspace can start until something of it ends
   * @param storing by another thread
   * @param store by this one
   */
  HeldBack(
      Predicate<String> isFull,
      Aside.Storing storing,
      Consumer<List<ConsumerRecord<byte[], byte[]>>> store,
      LongSupplier nanoTime) {
    this.isFull = isFull;
    this.storing = storing;
    this.store = store;
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
    Set<TopicPartition> kept = kept(fetched, now);
    if (!isGathering() && kept.isEmpty()) {
      return fetched;
    }
    if (held.isEmpty()) {
      until = now + LONGEST.toNanos();
    }
    ConsumerRecords<byte[], byte[]> come = letPass(fetched, kept);
    Predicate<TopicPartition> goesOn = p -> fetched.partitions().contains(p) && !kept.contains(p);
    ConsumerRecords<byte[], byte[]> all = Batches.join(held, come, ours);
    ConsumerRecords<byte[], byte[]> first = Batches.only(all, goesOn);
    held = Batches.only(all, goesOn.negate());
    ConsumerRecords<byte[], byte[]> stored = none();
    if (aside != null && (aside.isDone() || isWaitedFor(aside, first))) {
      Aside finished = aside;
      aside = null;
      if (!finished.isStored()) {
        held = none(); // nobody overtakes those that are tried again
        return Batches.join(finished.batch(), all, ours);
      }
      stored = finished.stored();
    }
    if (aside == null && !held.isEmpty() && isOver(now)) {
      aside = Aside.begin(held, storing);
      held = none();
    }
    return Batches.join(stored, first, ours);
  }

  /** Of what was fetched, the partitions that are not handed on as they are. */
  private Set<TopicPartition> kept(ConsumerRecords<byte[], byte[]> fetched, long now) {
    var kept = new HashSet<TopicPartition>();
    for (TopicPartition partition : fetched.partitions()) {
      boolean stream = isStream(partition, fetched, now);
      if (stream || waitingIn(partition).findAny().isPresent()) {
        kept.add(partition);
      }
    }
    return kept;
  }

  private boolean isStream(
      TopicPartition partition, ConsumerRecords<byte[], byte[]> fetched, long now) {
    if (!partition.topic().equals(Topics.REQUESTS)
        || fetched.records(partition).stream().noneMatch(this::hasToWait)) {
      return false;
    }
    Long before = crowdedAt.put(partition, now);
    return before != null && now - before <= LONGEST.toNanos();
  }

  /**
   * Stores those that may start. One that is behind another of its workspace takes all of its
   * partition along, in their order: that partition is not kept any more.
   */
  private ConsumerRecords<byte[], byte[]> letPass(
      ConsumerRecords<byte[], byte[]> fetched, Set<TopicPartition> kept) {
    var passing = new ArrayList<ConsumerRecord<byte[], byte[]>>();
    for (TopicPartition partition : List.copyOf(kept)) {
      var mayStart = new ArrayList<>(fetched.records(partition));
      var haveToWait = new ArrayList<>(waitingIn(partition).toList());
      mayStart.removeIf(received -> hasToWait(received) && haveToWait.add(received));
      if (Collections.disjoint(workspaces(mayStart), workspaces(haveToWait))) {
        passing.addAll(mayStart);
      } else {
        kept.remove(partition);
      }
    }
    if (passing.isEmpty()) {
      return fetched;
    }
    try {
      store.accept(passing);
    } catch (RuntimeException e) {
      log.atWarn().setCause(e).log("a batch could not be stored, and is tried again");
      kept.removeIf(partition -> passing.stream().anyMatch(r -> isIn(partition, r)));
      return fetched;
    }
    var stored = Set.copyOf(passing);
    return Batches.replacing(fetched, r -> stored.contains(r) ? new StoredRecord(r) : r);
  }

  /** Who passed by does not wait any more. */
  private Stream<ConsumerRecord<byte[], byte[]>> waitingIn(TopicPartition partition) {
    return Stream.concat(
            aside == null ? Stream.empty() : aside.batch().records(partition).stream(),
            held.records(partition).stream())
        .filter(received -> !(received instanceof StoredRecord));
  }

  private static boolean isIn(TopicPartition partition, ConsumerRecord<byte[], byte[]> received) {
    return received.partition() == partition.partition()
        && received.topic().equals(partition.topic());
  }

  private boolean isWaitedFor(Aside aside, ConsumerRecords<byte[], byte[]> first) {
    return held.count() >= MOST || first.partitions().stream().anyMatch(aside::has);
  }

  private boolean isOver(long now) {
    return now - until >= 0 || held.count() >= PLENTY;
  }

  private boolean hasToWait(ConsumerRecord<byte[], byte[]> received) {
    return received.key() != null && isFull.test(workspaceOf(received.key()));
  }

  private static Set<String> workspaces(List<ConsumerRecord<byte[], byte[]>> records) {
    return records.stream()
        .filter(record -> record.key() != null)
        .map(record -> workspaceOf(record.key()))
        .collect(toSet());
  }

  private static String workspaceOf(byte[] key) {
    return new String(key, UTF_8);
  }

  /** Somebody goes back, or forward: what is held is not what comes next. */
  void forget(TopicPartition partition) {
    held = Batches.only(held, p -> !p.equals(partition));
    if (aside != null) {
      aside = aside.without(partition);
    }
  }

  /** Nobody polls any more: what is being stored is let come to its end. */
  void await() {
    if (aside != null) {
      var _ = aside.isStored();
    }
  }

  /** There is something that waits for others to come, or to be stored. */
  boolean isGathering() {
    return !held.isEmpty() || aside != null;
  }

  /** How long may be waited for more. */
  Duration atMost(Duration timeout) {
    if (!isGathering()) {
      return timeout;
    }
    // With nobody held, what is stored aside waits for nothing but to be committed.
    Duration left =
        held.isEmpty() ? LONGEST : Duration.ofNanos(Math.max(0, until - nanoTime.getAsLong()));
    Duration wait = aside == null || left.compareTo(PAUSE) > 0 ? left : PAUSE;
    return wait.compareTo(timeout) < 0 ? wait : timeout;
  }

  private static ConsumerRecords<byte[], byte[]> none() {
    return new ConsumerRecords<>(Map.of(), Map.of());
  }
}
