package dev.sluice.recovery.relay;

import dev.sluice.contracts.CloudEvents;
import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.Topics;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * One state change of one execution, as the dispatcher wrote it.
 *
 * @param eventId stable: the same change has the same id, however often it is told
 * @param data JSON of a {@link dev.sluice.contracts.LifecycleEvent}
 */
public record OutboxEvent(
    String eventId,
    UUID executionId,
    String workspaceId,
    String kind,
    Instant at,
    @Nullable String traceparent,
    byte[] data) {

  ProducerRecord<String, byte[]> toRecord() {
    var event =
        CloudEvents.builder(eventId, EventTypes.DISPATCHER_SOURCE, EventTypes.lifecycle(kind), data)
            .withSubject(executionId.toString())
            .withTime(at.atOffset(ZoneOffset.UTC));
    if (traceparent != null) {
      event.withExtension(EventTypes.TRACEPARENT, traceparent);
    }
    return CloudEvents.toRecord(Topics.EVENTS, workspaceId, event.build());
  }
}
