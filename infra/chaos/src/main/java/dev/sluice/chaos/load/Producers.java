package dev.sluice.chaos.load;

import dev.sluice.contracts.CloudEvents;
import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Json;
import dev.sluice.contracts.Topics;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Sends requests through both doors, and notes what was said to them. */
final class Producers implements AutoCloseable {
  private static final String SOURCE = "urn:chaos";

  private final Api api;
  private final Acknowledged acknowledged;
  private final KafkaProducer<String, byte[]> kafka;

  Producers(Api api, String kafkaAddress, Acknowledged acknowledged) {
    this.api = api;
    this.acknowledged = acknowledged;
    this.kafka =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                kafkaAddress,
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                true,
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                5000,
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                3000,
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                10_000),
            new StringSerializer(),
            new ByteArraySerializer());
  }

  void overHttp(Order order) {
    try {
      var answer = api.post("workspaces/" + order.workspaceId() + "/executions", order.body());
      if (answer.status() == 202) {
        accepted(order, answer.body());
      } else {
        acknowledged.answered("HTTP " + answer.status());
      }
    } catch (IOException e) {
      acknowledged.answered("HTTP no answer");
    }
  }

  /** All or none. */
  void overHttpTogether(List<Order> orders) {
    ObjectNode body = Json.MAPPER.createObjectNode();
    var list = body.putArray("executions");
    orders.forEach(order -> list.add(order.body()));
    try {
      var answer =
          api.post("workspaces/" + orders.getFirst().workspaceId() + "/executions:batch", body);
      if (answer.status() != 202) {
        acknowledged.answered("HTTP batch " + answer.status());
        return;
      }
      for (int i = 0; i < orders.size(); i++) {
        accepted(orders.get(i), answer.body().path("executions").path(i));
      }
    } catch (IOException e) {
      acknowledged.answered("HTTP batch no answer");
    }
  }

  void overKafka(Order order, int times) {
    ObjectNode data = order.body().put("workspaceId", order.workspaceId());
    var event =
        CloudEvents.event(
            order.name(), SOURCE, EventTypes.REQUESTED, Json.MAPPER.writeValueAsBytes(data));
    UUID keyed = order.expectedId();
    UUID id =
        keyed == null ? ExecutionIds.ofEvent(order.workspaceId(), SOURCE, order.name()) : keyed;
    for (int i = 0; i < times; i++) {
      try {
        kafka
            .send(CloudEvents.toRecord(Topics.REQUESTS, order.workspaceId(), event))
            .get(20, TimeUnit.SECONDS);
        acknowledged.accepted(id, order.workspaceId());
      } catch (ExecutionException | TimeoutException | KafkaException e) {
        acknowledged.answered("Kafka no acknowledgement");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    kafka.close();
  }

  private void accepted(Order order, JsonNode answer) {
    UUID id = UUID.fromString(answer.path("id").asString());
    UUID expected = order.expectedId();
    if (expected != null && !expected.equals(id)) {
      acknowledged.wrong("key %s got id %s, not %s".formatted(order.key(), id, expected));
    }
    acknowledged.accepted(id, order.workspaceId());
  }
}
