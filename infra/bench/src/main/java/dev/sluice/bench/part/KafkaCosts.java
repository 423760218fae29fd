package dev.sluice.bench.part;

import dev.sluice.bench.stack.Requests;
import dev.sluice.bench.stack.Servers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
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
    producer = new Requests(servers.kafka());
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
    return Meter.of(items)
        .measure(
            repetitions,
            n -> {
              batches.get(n).forEach(producer::send);
              var _ = poll(items);
            });
  }

  /**
   * A fetch for what is there already, as of a consumer that asks for more: the first record after
   * its last poll answers the fetch that it had sent by then, the second one is behind that. Where
   * there was no fetch under way the first poll brings both, and there is nothing to be measured.
   */
  Meter.Taken fetch(int repetitions) {
    var meter = Meter.of(1);
    for (int n = 0; n < repetitions; n++) {
      for (Requests.Request request : requests(2)) {
        sendAndWait(request);
      }
      if (poll(1) == 1) {
        meter.run(
            n,
            n + 1,
            m -> {
              var _ = poll(1);
            });
      }
    }
    return meter.taken();
  }

  private void sendAndWait(Requests.Request request) {
    try {
      producer.sendAndWait(request);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  /** After something new was read, as it is after each batch. */
  Meter.Taken commit(int repetitions) {
    return Meter.of(1).measure(repetitions, n -> consumer.commitSync());
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

  /** Answers how many came: so many, or more. */
  private int poll(int items) {
    long until = System.nanoTime() + PATIENCE;
    int got = 0;
    while (got < items) {
      got += consumer.poll(Duration.ofSeconds(1)).count();
      if (System.nanoTime() - until > 0) {
        throw new IllegalStateException("%d of %d records came".formatted(got, items));
      }
    }
    return got;
  }

  @Override
  public void close() {
    consumer.close();
    producer.close();
  }
}
