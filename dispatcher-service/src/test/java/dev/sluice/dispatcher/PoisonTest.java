package dev.sluice.dispatcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.contracts.DeadLetterReason;
import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What nobody can read is kept with its reason, and its neighbours on the partition go on. */
class PoisonTest {
  private final Sluice sluice = Sluice.shared();
  private final String workspace = sluice.workspace("PRO");

  @Test
  @Tag("Q4")
  void everyMalformedRecordIsADeadLetterAndItsNeighboursGoOn() {
    String good =
        "{\"workspaceId\":\"%s\",\"definitionId\":\"job\",\"input\":{}}".formatted(workspace);
    String withField = good.replace("}}", "},%s}");
    var poison = new ArrayList<Poison>();
    poison.add(new Poison("not JSON", "NOT_JSON", bytes("{nope"), REQUESTED, key()));
    poison.add(new Poison("an array", "NOT_JSON", bytes("[]"), REQUESTED, key()));
    poison.add(
        new Poison(
            "invalid UTF-8",
            "NOT_JSON",
            new byte[] {'{', '"', (byte) 0xff, '"', '}'},
            REQUESTED,
            key()));
    poison.add(new Poison("no value", "NO_VALUE", null, REQUESTED, key()));
    poison.add(new Poison("no key", "NO_KEY", bytes(good), REQUESTED, null));
    poison.add(new Poison("another's key", "KEY_MISMATCH", bytes(good), REQUESTED, bytes("other")));
    poison.add(new Poison("10 MB", "TOO_LARGE", new byte[10 * 1024 * 1024], REQUESTED, key()));
    poison.add(
        new Poison(
            "too large a body",
            "TOO_LARGE",
            bytes(good.replace("{}", "\"" + "x".repeat(300_000) + "\"")),
            REQUESTED,
            key()));
    poison.add(
        new Poison(
            "a wrong type",
            "INVALID_FIELD",
            bytes(withField.formatted("\"priority\":\"high\"")),
            REQUESTED,
            key()));
    poison.add(
        new Poison(
            "an unknown field",
            "INVALID_FIELD",
            bytes(withField.formatted("\"colour\":\"red\"")),
            REQUESTED,
            key()));
    poison.add(
        new Poison(
            "a priority out of range",
            "INVALID_FIELD",
            bytes(withField.formatted("\"priority\":10")),
            REQUESTED,
            key()));
    poison.add(
        new Poison(
            "an unknown event type",
            "UNKNOWN_TYPE",
            bytes(good),
            "sluice.execution.exploded.v1",
            key()));
    poison.add(new Poison("no event", "NOT_A_CLOUD_EVENT", bytes(good), null, key()));

    for (Poison each : poison) {
      each.send(sluice);
      UUID neighbour = sluice.enqueue(workspace, "{}");
      sluice.awaitStatus(neighbour, "COMPLETED");
    }
    forgedSource();

    Map<String, ConsumerRecord<byte[], byte[]>> letters = deadLetters(poison.size() + 1);
    for (Poison each : poison) {
      var letter = letters.get(each.name());
      assertThat(letter).as(each.name()).isNotNull();
      assertThat(header(letter, DeadLetterReason.REASON_HEADER))
          .as(each.name())
          .isEqualTo(each.reason());
      assertThat(header(letter, DeadLetterReason.DETAIL_HEADER)).as(each.name()).isNotEmpty();
      assertThat(header(letter, DeadLetterReason.ORIGIN_HEADER)).startsWith("sluice.requests-");
      assertThat(letter.value()).as(each.name()).isEqualTo(each.value());
      assertThat(letter.key()).as(each.name()).isEqualTo(each.key());
    }
    assertThat(header(letters.get("a forged source"), DeadLetterReason.REASON_HEADER))
        .isEqualTo("INVALID_FIELD");
  }

  @Test
  void theSameEventInBothModesIsOneWorkflow() {
    String data =
        "{\"workspaceId\":\"%s\",\"definitionId\":\"job\",\"input\":{}}".formatted(workspace);
    UUID id = ExecutionIds.ofEvent(workspace, "urn:both", "event-1");
    var binary = new ProducerRecord<byte[], byte[]>(Topics.REQUESTS, key(), bytes(data));
    ce(binary, "urn:both", "event-1", REQUESTED);
    var structured =
        new ProducerRecord<byte[], byte[]>(
            Topics.REQUESTS,
            key(),
            bytes(
                "{\"specversion\":\"1.0\",\"id\":\"event-1\",\"source\":\"urn:both\",\"type\":\"%s\",\"datacontenttype\":\"application/json\",\"data\":%s}"
                    .formatted(REQUESTED, data)));
    structured.headers().add("content-type", bytes("application/cloudevents+json; charset=utf-8"));
    sluice.send(binary);
    sluice.send(structured);
    sluice.send(binary);
    UUID after = sluice.enqueue(workspace, "{}");
    sluice.awaitStatus(after, "COMPLETED");
    sluice.awaitStatus(id, "COMPLETED");
    assertThat(
            sluice
                .jdbc()
                .sql("select count(*) from workflow_execution_queue where workspace_id = ?")
                .param(workspace)
                .query(Integer.class)
                .single())
        .isEqualTo(2);
  }

  /**
   * Says it comes from ingest-service, whose ids are taken as they are, with an id that is none.
   */
  private void forgedSource() {
    String data = "{\"workspaceId\":\"%s\",\"definitionId\":\"job\"}".formatted(workspace);
    var forged = new ProducerRecord<byte[], byte[]>(Topics.REQUESTS, key(), bytes(data));
    ce(forged, EventTypes.INGEST_SOURCE, UUID.randomUUID().toString(), REQUESTED);
    forged.headers().add("poison", bytes("a forged source"));
    forged.headers().add(DeadLetterReason.REASON_HEADER, bytes("FORGED"));
    sluice.send(forged);
  }

  private static final String REQUESTED = EventTypes.REQUESTED;

  private record Poison(String name, String reason, byte[] value, String type, byte[] key) {
    void send(Sluice sluice) {
      var record = new ProducerRecord<byte[], byte[]>(Topics.REQUESTS, key, value);
      if (type != null) {
        ce(record, "urn:test", UUID.randomUUID().toString(), type);
      }
      record.headers().add("poison", bytes(name));
      sluice.send(record);
    }
  }

  private static void ce(ProducerRecord<?, ?> record, String source, String id, String type) {
    Map.of(
            "ce_specversion",
            "1.0",
            "ce_id",
            id,
            "ce_source",
            source,
            "ce_type",
            type,
            "content-type",
            "application/json")
        .forEach((name, value) -> record.headers().add(name, bytes(value)));
  }

  private Map<String, ConsumerRecord<byte[], byte[]>> deadLetters(int expected) {
    var found = new HashMap<String, ConsumerRecord<byte[], byte[]>>();
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers",
            sluice.bootstrapServers(),
            "max.partition.fetch.bytes",
            Topics.LARGEST_DEAD_LETTER);
    try (var consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      var partitions =
          consumer.partitionsFor(Topics.DEAD_LETTERS).stream()
              .map(p -> new TopicPartition(p.topic(), p.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      await()
          .atMost(Duration.ofSeconds(20))
          .until(
              () -> {
                consumer
                    .poll(Duration.ofMillis(200))
                    .forEach(
                        r -> {
                          if (r.headers().lastHeader("poison") != null) {
                            found.put(header(r, "poison"), r);
                          }
                        });
                return found.size() >= expected;
              });
    }
    return found;
  }

  private byte[] key() {
    return bytes(workspace);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static String header(ConsumerRecord<?, ?> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }
}
