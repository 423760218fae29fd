package dev.sluice.dispatcher.intake;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Asks once more where a single fetch has only brought the first of many. Kafka's consumer sends
 * its next fetch before it hands on the records of the last, and the broker answers that with the
 * first record it gets; all that come while the batch is stored wait for the fetch after. So every
 * second batch was of one record, and cost as much as the one behind it.
 *
 * <p>Only records that were there before they were asked for are a sign of more behind them: one
 * that comes to an idle consumer is handed on at once. And what can only wait is {@link HeldBack}
 * for a moment; while that is so, records come all the time, and whoever may start does not wait
 * for them.
 */
final class GatheringConsumer extends KafkaConsumer<byte[], byte[]> {
  private static final long AT_ONCE_NANOS = 300_000;
  private static final Duration LONGEST = Duration.ofMillis(1);

  private final HeldBack heldBack;
  private @Nullable KafkaException postponed;

  GatheringConsumer(Map<String, Object> config, HeldBack heldBack) {
    super(config);
    this.heldBack = heldBack;
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    if (postponed != null) {
      KafkaException failure = postponed;
      postponed = null;
      throw failure;
    }
    if (!paused().isEmpty()) {
      // By Spring, while a batch is tried again: it throws away what it polls meanwhile.
      return super.poll(timeout);
    }
    return heldBack.pass(fetch(heldBack.atMost(timeout)), assignment());
  }

  @Override
  public void seek(TopicPartition partition, long offset) {
    heldBack.forget(partition);
    super.seek(partition, offset);
  }

  @Override
  public void seek(TopicPartition partition, OffsetAndMetadata offset) {
    heldBack.forget(partition);
    super.seek(partition, offset);
  }

  @Override
  public void close() {
    heldBack.await();
    super.close();
  }

  @Override
  @Deprecated
  public void close(Duration timeout) {
    heldBack.await();
    super.close(timeout);
  }

  @Override
  public void close(CloseOptions options) {
    heldBack.await();
    super.close(options);
  }

  private ConsumerRecords<byte[], byte[]> fetch(Duration timeout) {
    long began = System.nanoTime();
    ConsumerRecords<byte[], byte[]> first = super.poll(timeout);
    boolean atOnce = System.nanoTime() - began < AT_ONCE_NANOS;
    boolean few = !first.isEmpty() && first.count() < HeldBack.PLENTY;
    return atOnce && few && !heldBack.isGathering() ? withMore(first) : first;
  }

  private ConsumerRecords<byte[], byte[]> withMore(ConsumerRecords<byte[], byte[]> first) {
    ConsumerRecords<byte[], byte[]> more;
    try {
      more = super.poll(LONGEST);
    } catch (KafkaException e) {
      postponed = e; // these were read, and nobody would read them again
      return first;
    }
    return Batches.join(first, more, assignment());
  }
}
