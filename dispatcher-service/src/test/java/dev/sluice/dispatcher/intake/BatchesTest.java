package dev.sluice.dispatcher.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class BatchesTest {
  private static final TopicPartition ONE = new TopicPartition("requests", 1);
  private static final TopicPartition TWO = new TopicPartition("requests", 2);

  @Test
  void whatCameInTwoFetchesIsOneBatchInItsOrder() {
    var joined = Batches.join(records(ONE, 7), records(ONE, 8, 9), Set.of(ONE, TWO));
    assertThat(joined.records(ONE)).extracting(ConsumerRecord::offset).containsExactly(7L, 8L, 9L);
    assertThat(joined.nextOffsets()).containsEntry(ONE, new OffsetAndMetadata(10));
  }

  @Test
  void partitionsOfEitherFetchAreThere() {
    var joined = Batches.join(records(ONE, 7), records(TWO, 3), Set.of(ONE, TWO));
    assertThat(joined.count()).isEqualTo(2);
    assertThat(joined.nextOffsets())
        .isEqualTo(Map.of(ONE, new OffsetAndMetadata(8), TWO, new OffsetAndMetadata(4)));
  }

  @Test
  void whatWasTakenAwayInBetweenIsLeftToItsNewOwner() {
    var joined = Batches.join(records(ONE, 7), records(TWO, 3), Set.of(TWO));
    assertThat(joined.partitions()).containsExactly(TWO);
    assertThat(joined.nextOffsets()).containsOnlyKeys(TWO);
  }

  private static ConsumerRecords<byte[], byte[]> records(
      TopicPartition partition, long... offsets) {
    List<ConsumerRecord<byte[], byte[]>> all =
        LongStream.of(offsets)
            .mapToObj(
                offset ->
                    new ConsumerRecord<byte[], byte[]>(
                        partition.topic(), partition.partition(), offset, null, new byte[0]))
            .toList();
    long next = offsets[offsets.length - 1] + 1;
    return new ConsumerRecords<>(
        Map.of(partition, all), Map.of(partition, new OffsetAndMetadata(next)));
  }
}
