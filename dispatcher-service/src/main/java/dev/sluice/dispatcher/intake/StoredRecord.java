package dev.sluice.dispatcher.intake;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Where a record was that is stored already: it needs nothing but to be committed. */
final class StoredRecord extends ConsumerRecord<byte[], byte[]> {
  StoredRecord(ConsumerRecord<byte[], byte[]> was) {
    super(was.topic(), was.partition(), was.offset(), was.key(), was.value());
  }
}
