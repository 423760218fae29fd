package dev.sluice.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.contracts.Topics;
import dev.sluice.servers.TestStack;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class LagTest {
  private final Ingest ingest = Ingest.shared();

  @Test
  @Tag("D")
  void theLagIsTheBrokersOwnWhenNoConsumerLives() throws Exception {
    String ws = ingest.workspace("FREE");
    Rows.everythingIsRead();
    awaitLag(0);
    for (int i = 0; i < 3; i++) {
      ingest.post("/v1/workspaces/" + ws + "/executions", "{\"definitionId\":\"report\"}");
    }
    awaitLag(3);
    JsonNode behind = partition(Topics.homePartition(ws, 12));
    assertThat(behind.get("group").asString()).isEqualTo(Topics.DISPATCHER_GROUP);
    assertThat(behind.get("lag").asInt()).isEqualTo(3);
    assertThat(behind.get("end").asLong() - behind.get("committed").asLong()).isEqualTo(3);
    assertThat(behind.get("lagSeconds").asDouble()).isBetween(0.0, 60.0);
    assertThat(behind.has("member")).isFalse();
  }

  @Test
  void theMarkOfATransactionIsNoLag() throws Exception {
    String ws = ingest.workspace("FREE");
    Rows.everythingIsRead();
    ingest.post(
        "/v1/workspaces/" + ws + "/executions:batch",
        "{\"executions\":[{\"definitionId\":\"report\"}]}");
    awaitLag(2);
    try (var consumer = consumer()) {
      consumer.subscribe(List.of(Topics.REQUESTS));
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> !consumer.poll(Duration.ofMillis(200)).isEmpty());
      // As a consumer commits that commits what it was given, and no further.
      var partition =
          new org.apache.kafka.common.TopicPartition(Topics.REQUESTS, Topics.homePartition(ws, 12));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      consumer.commitSync(
          Map.of(partition, new org.apache.kafka.clients.consumer.OffsetAndMetadata(end - 1)));
      awaitLag(0);
      assertThat(partition(partition.partition()).get("member").asString()).isNotEmpty();
    }
  }

  private static KafkaConsumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers",
            TestStack.shared().kafka().bootstrapServers(),
            "group.id",
            Topics.DISPATCHER_GROUP,
            "enable.auto.commit",
            false,
            "isolation.level",
            "read_committed"),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  private void awaitLag(int lag) {
    await()
        .atMost(Duration.ofSeconds(15))
        .untilAsserted(
            () -> {
              long requests =
                  ingest
                      .get("/v1/lag")
                      .json()
                      .get("groups")
                      .valueStream()
                      .filter(p -> p.get("topic").asString().equals(Topics.REQUESTS))
                      .mapToLong(p -> p.get("lag").asLong())
                      .sum();
              assertThat(requests).isEqualTo(lag);
            });
  }

  private JsonNode partition(int number) {
    return ingest
        .get("/v1/lag")
        .json()
        .get("groups")
        .valueStream()
        .filter(
            p ->
                p.get("topic").asString().equals(Topics.REQUESTS)
                    && p.get("partition").asInt() == number)
        .findFirst()
        .orElseThrow();
  }
}
