package dev.sluice.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.Signal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Each event that an operator may look for happens, and has its fields. */
@Tag("Q23")
class LogEventsTest {
  private static final String SECRET = "geheim-4711";

  private final Sluice sluice = Sluice.shared();
  private final Logger logger = (Logger) LoggerFactory.getLogger("dev.sluice.dispatcher");
  private final Level before = logger.getLevel();
  private final Kept kept = new Kept();

  /** What was logged, in order. */
  private static final class Kept extends AppenderBase<ILoggingEvent> {
    final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

    @Override
    protected void append(ILoggingEvent event) {
      events.add(event);
    }
  }

  @BeforeEach
  void listen() {
    kept.setContext(logger.getLoggerContext());
    kept.start();
    logger.setLevel(Level.DEBUG);
    logger.addAppender(kept);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(kept);
    logger.setLevel(before);
  }

  @Test
  void aRequestOnItsWay() {
    String ws = sluice.workspace("FREE");
    UUID first = sluice.enqueue(ws, "{\"wait\":true,\"note\":\"" + SECRET + "\"}");
    sluice.awaitState(first, "DISPATCHED");
    UUID second = sluice.enqueue(ws, "{\"note\":\"" + SECRET + "\"}");
    assertThat(awaitEvent("workspace at capacity", "workspace", ws))
        .containsEntry("held", "1")
        .containsEntry("limit", "1");
    sluice.letGo(first);
    sluice.awaitStatus(second, "COMPLETED");

    assertThat(awaitEvent("dispatching", "item", second.toString()))
        .containsEntry("definition", "job")
        .containsEntry("workspace", ws);
    assertThat(awaitEvent("dispatched", "item", second.toString()))
        .containsEntry("execution", second.toString())
        .containsEntry("workspace", ws);
    assertThat(kept.events)
        .filteredOn(event -> event.getMessage().equals("processing items"))
        .allSatisfy(event -> assertThat(event.getLevel()).isEqualTo(Level.DEBUG))
        .anySatisfy(event -> assertThat(fields(event)).containsKey("items"));
  }

  @Test
  void aRequestThatTemporalRefuses() {
    String ws = sluice.workspace("FREE");
    // Temporal takes no task queue without a name.
    sluice
        .jdbc()
        .sql("update workflow_definition_version set task_queue = '' where workspace_id = ?")
        .param(ws)
        .update();
    UUID id = sluice.enqueue(ws, "{\"note\":\"" + SECRET + "\"}");
    sluice.awaitState(id, "FAILED");

    assertThat(awaitEvent("failed to start", "item", id.toString()))
        .containsKeys("error", "attempts", "of")
        .containsEntry("workspace", ws);
    assertThat(awaitEvent("error processing an item, no attempt is left", "item", id.toString()))
        .containsEntry("attempts", "3")
        .containsKey("reason");
  }

  @Test
  void aRequestOfNobody() {
    String ws = "nobody-" + UUID.randomUUID();
    UUID id = sluice.enqueue(ws, "{\"note\":\"" + SECRET + "\"}");
    sluice.awaitState(id, "FAILED");
    assertThat(awaitEvent("request failed at intake", "item", id.toString()))
        .containsEntry("workspace", ws)
        .containsEntry("reason", "UNKNOWN_WORKSPACE");
  }

  @Test
  void aWorkspaceThatIsGone() {
    String ws = sluice.workspace("FREE");
    UUID open = sluice.enqueue(ws, "{\"wait\":true}");
    sluice.awaitState(open, "DISPATCHED");
    UUID waiting = sluice.enqueue(ws, "{\"note\":\"" + SECRET + "\"}");
    sluice.awaitState(waiting, "PENDING");
    sluice.jdbc().sql("delete from workspace where id = ?").param(ws).update();
    sluice.letGo(open);
    sluice.awaitState(waiting, "FAILED");
    assertThat(awaitEvent("workspace not found", "workspaces", "[" + ws + "]"))
        .containsEntry("items", "1");
  }

  @Test
  void aClaimLeftBehindWithoutItsExecution() {
    String ws = sluice.workspace("FREE");
    UUID id = UUID.randomUUID();
    sluice
        .jdbc()
        .sql(
            "insert into workflow_execution_queue (id, workspace_id, definition_id,"
                + " definition_version, state, priority, input, claim_token, claimed_at) values (?,"
                + " ?, 'job', 1, 'CLAIMED', 5, '{}', gen_random_uuid(), now() - interval '1 hour')")
        .params(id, ws)
        .update();
    sluice.signal(new Signal.Redrive(ws, id));
    sluice.awaitStatus(id, "COMPLETED");
    assertThat(awaitEvent("execution missing on retry, made again", "execution", id.toString()))
        .containsEntry("workspace", ws);
    assertThat(awaitEvent("recovered stale claims", "items", "1")).isNotEmpty();
  }

  @Test
  void aDeadLetter() {
    sluice.publish(
        "ws-x", EventTypes.REQUESTED, "{\"workspaceId\":\"ws-y\",\"x\":\"" + SECRET + "\"}");
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () ->
                assertThat(kept.events)
                    .anySatisfy(event -> assertThat(fields(event)).containsKey("origin")));
  }

  @AfterEach
  void noPayloadIsLogged() {
    assertThat(kept.events)
        .allSatisfy(
            event -> {
              assertThat(event.getFormattedMessage()).doesNotContain(SECRET);
              assertThat(fields(event).toString()).doesNotContain(SECRET);
            });
  }

  private Map<String, String> awaitEvent(String message, String field, String value) {
    return await(message)
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                kept.events.stream()
                    .filter(event -> event.getMessage().equals(message))
                    .map(LogEventsTest::fields)
                    .filter(fields -> value.equals(fields.get(field)))
                    .findFirst()
                    .orElse(null),
            found -> found != null);
  }

  private static Map<String, String> fields(ILoggingEvent event) {
    return event.getKeyValuePairs() == null
        ? Map.of()
        : event.getKeyValuePairs().stream()
            .collect(Collectors.toMap(p -> p.key, p -> String.valueOf(p.value), (a, b) -> b));
  }
}
