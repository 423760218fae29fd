package dev.sluice.dispatcher.intake;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A batch that another thread stores, so that the consumer's is there for others meanwhile. It
 * comes back as {@link StoredRecord}s, for the listener to pass over and for Spring to commit;
 * where storing failed it comes back as it was, and is tried again as any batch is.
 */
record Aside(ConsumerRecords<byte[], byte[]> batch, CompletableFuture<?> storing) {
  private static final Logger log = LoggerFactory.getLogger(Aside.class);

  /** Stores these, by another thread. */
  interface Storing extends Function<List<ConsumerRecord<byte[], byte[]>>, CompletableFuture<?>> {}

  static Aside begin(ConsumerRecords<byte[], byte[]> batch, Storing storing) {
    var records = new ArrayList<ConsumerRecord<byte[], byte[]>>(batch.count());
    batch.forEach(records::add);
    return new Aside(batch, storing.apply(records));
  }

  boolean isDone() {
    return storing.isDone();
  }

  boolean has(TopicPartition partition) {
    return batch.partitions().contains(partition);
  }

  /** Somebody goes back, or forward: what is there is not what comes next. */
  Aside without(TopicPartition partition) {
    return new Aside(Batches.only(batch, p -> !p.equals(partition)), storing);
  }

  /** Waits until it is, or cannot be. */
  boolean isStored() {
    try {
      storing.join();
      return true;
    } catch (CompletionException e) {
      log.atWarn()
          .setCause(e.getCause())
          .log("a batch could not be stored aside, and is tried again");
      return false;
    }
  }

  ConsumerRecords<byte[], byte[]> stored() {
    return Batches.replacing(batch, StoredRecord::new);
  }
}
