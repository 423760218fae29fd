package dev.sluice.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalKafkaTest {
  @TempDir Path folder;

  @Test
  void recordsAreKeptOverARestart() throws Exception {
    try (var kafka = LocalKafka.start(folder.resolve("kafka"), 0)) {
      try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
        admin
            .createTopics(List.of(new NewTopic("kept", Optional.of(1), Optional.empty())))
            .all()
            .get();
      }
      try (var producer = producer(kafka)) {
        producer.send(new ProducerRecord<>("kept", "key", "value")).get();
      }
    }
    try (var kafka = LocalKafka.start(folder.resolve("kafka"), 0);
        var consumer = consumer(kafka, "classic")) {
      assertThat(firstValue(consumer)).isEqualTo("value");
    }
  }

  @Test
  void bothGroupProtocolsAreServed() throws Exception {
    var kafka = TestStack.shared().kafka();
    try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic("protocols", 1, (short) 1))).all().get();
    }
    try (var producer = producer(kafka)) {
      producer.send(new ProducerRecord<>("protocols", "key", "value")).get();
    }
    for (String protocol : List.of("classic", "consumer")) {
      try (var consumer = consumer(kafka, protocol)) {
        consumer.subscribe(List.of("protocols"));
        var records = consumer.poll(Duration.ofSeconds(20));
        for (int tries = 0; records.isEmpty() && tries < 20; tries++) {
          records = consumer.poll(Duration.ofSeconds(1));
        }
        assertThat(records.count()).as(protocol).isEqualTo(1);
      }
    }
  }

  @Test
  void aTakenPortIsSaidInASentence() {
    var kafka = TestStack.shared().kafka();
    assertThatThrownBy(() -> LocalKafka.start(folder.resolve("kafka"), kafka.port()))
        .isInstanceOf(CannotStart.class)
        .hasMessage(
            "Port %d is taken, so Kafka cannot listen there; stop the program that has it or choose"
                + " another with SLUICE_KAFKA_PORT.",
            kafka.port());
  }

  @Test
  void aFolderThatCannotBeWrittenIsSaidInASentence() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThatThrownBy(() -> LocalKafka.start(file.resolve("kafka"), 0))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("cannot be written; make it writable or name another one.");
  }

  private static KafkaProducer<String, String> producer(LocalKafka kafka) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", kafka.bootstrapServers()),
        new StringSerializer(),
        new StringSerializer());
  }

  private static KafkaConsumer<String, String> consumer(LocalKafka kafka, String protocol) {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers",
            kafka.bootstrapServers(),
            "group.id",
            "reader-" + protocol,
            "group.protocol",
            protocol,
            "auto.offset.reset",
            "earliest"),
        new StringDeserializer(),
        new StringDeserializer());
  }

  private static String firstValue(KafkaConsumer<String, String> consumer) {
    var partition = new TopicPartition("kept", 0);
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
    return consumer.poll(Duration.ofSeconds(20)).iterator().next().value();
  }
}
