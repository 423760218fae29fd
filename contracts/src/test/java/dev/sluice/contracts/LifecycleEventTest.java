package dev.sluice.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LifecycleEventTest {
  private static final UUID ID = UUID.fromString("0199d6a2-0000-7000-8000-000000000001");
  private static final Instant AT = Instant.parse("2027-01-31T09:00:00.123456Z");

  @Test
  void timesAreRfc3339AndWhatIsNotKnownIsLeftOut() {
    var event = new LifecycleEvent(ID, "acme", "d", "PENDING", AT, 0, null, null, null);
    assertThat(Json.MAPPER.writeValueAsString(event))
        .isEqualTo(
            "{\"id\":\"%s\",\"workspaceId\":\"acme\",\"definitionId\":\"d\",\"status\":\"PENDING\",\"at\":\"%s\",\"attempts\":0}"
                .formatted(ID, AT));
  }

  @Test
  void aClosedWorkflowAndAFailureReadBack() {
    var workflow =
        new LifecycleEvent.Workflow(
            ExecutionIds.workflowId(ID), "run", "COMPLETED", Json.MAPPER.readTree("[1.10]"), null);
    var failure = new LifecycleEvent.Failure(FailureCode.START_REJECTED.name(), "no such type");
    var event = new LifecycleEvent(ID, "acme", "d", "X", AT, 3, workflow, failure, true);
    String json = Json.MAPPER.writeValueAsString(event);
    assertThat(Json.MAPPER.readValue(json, LifecycleEvent.class)).isEqualTo(event);
  }

  @Test
  void theTypesOfLifecycleEventsAreThoseOfTheApi() {
    assertThat(EventTypes.lifecycle("DISPATCHED")).isEqualTo("sluice.execution.dispatched.v1");
  }
}
