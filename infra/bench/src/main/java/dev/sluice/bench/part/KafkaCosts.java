package dev.sluice.bench.part;

import dev.sluice.bench.stack.Requests;
import dev.sluice.bench.stack.Servers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * From a producer's hand to a consumer's, with a consumer set up like the dispatcher's, on a topic
 * of its own. The broker is in this JVM, so its share is in the figure and cannot be told apart.
 */
final class KafkaCosts implements AutoCloseable {
  private static final String TOPIC = "bench.costs";
  private static final int PARTITIONS = 12;
  private static final long PATIENCE = Duration.ofSeconds(30).toNanos();

  private final Requests producer;
  private final KafkaConsumer<byte[], byte[]> consumer;

  KafkaCosts(Servers servers) throws InterruptedException {
    String brokers = servers.kafka().bootstrapServers();
    makeTopic(brokers);
    producer = new Requests(servers);
    consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                brokers,
                ConsumerConfig.GROUP_ID_CONFIG,
                "bench-costs",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                1000),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(
        IntStream.range(0, PARTITIONS).mapToObj(n -> new TopicPartition(TOPIC, n)).toList());
    consumer.seekToEnd(List.of());
    consumer.assignment().forEach(consumer::position);
  }

  private static void makeTopic(String brokers) throws InterruptedException {
    try (var admin = Admin.create(Map.<String, Object>of("bootstrap.servers", brokers))) {
      if (!admin.listTopics().names().get().contains(TOPIC)) {
        admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1))).all().get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  Meter.Taken carry(int items, int repetitions) {
    List<List<Requests.Request>> batches =
        IntStream.range(0, repetitions).mapToObj(n -> requests(items)).toList();
    return Meter.of(
        repetitions,
        n -> {
          batches.get(n).forEach(producer::send);
          poll(items);
        });
  }

  /** After something new was read, as it is after each batch. */
  Meter.Taken commit(int repetitions) {
    return Meter.of(repetitions, n -> consumer.commitSync());
  }

  private static List<Requests.Request> requests(int items) {
    return Requests.round("w", DispatchRound.WORKSPACES, items).stream()
        .map(
            request -> {
              var sent = request.message();
              return new Requests.Request(
                  request.workflowId(),
                  new ProducerRecord<>(TOPIC, null, sent.key(), sent.value(), sent.headers()));
            })
        .toList();
  }

  private void poll(int items) {
    long until = System.nanoTime() + PATIENCE;
    for (int got = 0; got < items; ) {
      got += consumer.poll(Duration.ofSeconds(1)).count();
      if (System.nanoTime() - until > 0) {
        throw new IllegalStateException("%d of %d records came".formatted(got, items));
      }
    }
  }

  @Override
  public void close() {
    consumer.close();
    producer.close();
  }
}
