package dev.sluice.dispatcher.intake;

import static java.util.Collections.synchronizedList;

import dev.sluice.contracts.CancelRequest;
import dev.sluice.contracts.DeadLetterReason;
import dev.sluice.contracts.ExecutionRequest;
import dev.sluice.dispatcher.intake.DeadLetters.Letter;
import dev.sluice.dispatcher.ledger.FinishLedger.Named;
import dev.sluice.dispatcher.ledger.IntakeLedger;
import dev.sluice.dispatcher.ledger.IntakeLedger.Accepted;
import dev.sluice.dispatcher.ledger.IntakeLedger.NewItem;
import dev.sluice.dispatcher.trace.Traces;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessException;

/**
 * A batch of records becomes rows in one statement, or a few side by side. What cannot be read, or
 * cannot be stored, goes to the dead-letter topic and never stops its neighbours.
 */
public final class Intake {
  private final Store store;
  private final IntakeLedger ledger;
  private final Backlog backlog;
  private final DeadLetters deadLetters;
  private final Consumer<Accepted> onAccepted;
  private final Consumer<List<Named>> onCancel;
  private final Traces traces;
  private final Parts parts;

  /** Where requests become rows. */
  public interface Store {
    /** What is new is added as soon as it is stored, whatever becomes of the rest. */
    void accept(List<NewItem> items, Set<UUID> overCap, Collection<Accepted> accepted);
  }

  Intake(
      Store store,
      IntakeLedger ledger,
      Backlog backlog,
      DeadLetters deadLetters,
      Consumer<Accepted> onAccepted,
      Consumer<List<Named>> onCancel,
      Traces traces,
      Parts parts) {
    this.traces = traces;
    this.parts = parts;
    this.store = store;
    this.ledger = ledger;
    this.backlog = backlog;
    this.deadLetters = deadLetters;
    this.onAccepted = onAccepted;
    this.onCancel = onCancel;
  }

  private record Request(ConsumerRecord<byte[], byte[]> received, NewItem item) {}

  /** What one batch came to. */
  public record Done(int accepted, int known, int cancels, int deadLetters) {}

  public Done runOnce(List<ConsumerRecord<byte[], byte[]>> records) throws InterruptedException {
    var readable = new ArrayList<Request>(records.size());
    var cancels = new ArrayList<Named>();
    var letters = new ArrayList<Letter>();
    for (var received : records) {
      switch (RequestDecoder.decode(received)) {
        case Decoded.Enqueue(NewItem item) -> readable.add(new Request(received, item));
        case Decoded.Cancel(CancelRequest cancel) ->
            cancels.add(new Named(cancel.id(), cancel.workspaceId(), cancel.terminateAfter()));
        case Decoded.Unreadable(var reason, var detail) ->
            letters.add(new Letter(received, reason, detail));
      }
    }
    List<Accepted> accepted =
        readable.isEmpty() ? List.of() : traced(readable, over(readable), letters);
    cancels.addAll(colliding(readable));
    if (!cancels.isEmpty()) {
      onCancel.accept(cancels); // after the rows: a cancel may be for a request of the same batch
    }
    if (!letters.isEmpty()) {
      deadLetters.publish(letters);
    }
    accepted.forEach(onAccepted);
    return new Done(
        accepted.size(), readable.size() - accepted.size(), cancels.size(), letters.size());
  }

  /** A row keeps the span of its intake, so that all that follows is told below it. */
  private List<Accepted> traced(List<Request> batch, Set<UUID> over, List<Letter> letters)
      throws InterruptedException {
    if (!traces.isOn()) {
      return store(batch, over, letters);
    }
    long began = traces.now();
    var steps = new ArrayList<Traces.Step>(batch.size());
    var rows = new ArrayList<Request>(batch.size());
    var items = new ArrayList<Traces.Item>(batch.size());
    for (Request request : batch) {
      UUID id = request.item().id();
      ExecutionRequest asked = request.item().request();
      var step =
          traces.begin(
              "sluice.intake",
              new Traces.Item(id, asked.workspaceId(), request.item().traceparent()));
      steps.add(step);
      rows.add(new Request(request.received(), new NewItem(id, asked, step.traceparent())));
      items.add(new Traces.Item(id, asked.workspaceId(), step.traceparent()));
    }
    String outcome = "failed";
    try {
      List<Accepted> accepted = store(rows, over, letters);
      outcome = "stored";
      return accepted;
    } finally {
      for (Traces.Step step : steps) {
        step.end(outcome);
      }
      traces.batch("sluice.intake.batch", items, began, traces.now(), List.of());
    }
  }

  private Set<UUID> over(List<Request> readable) {
    return backlog.over(readable.stream().map(Request::item).toList());
  }

  /** What these put an end to, where their definitions say so. */
  private List<Named> colliding(List<Request> readable) {
    List<UUID> keyed =
        readable.stream()
            .map(Request::item)
            .filter(item -> item.request().partitionKey() != null)
            .map(NewItem::id)
            .toList();
    return keyed.isEmpty() ? List.of() : ledger.colliding(keyed);
  }

  private List<Accepted> store(List<Request> batch, Set<UUID> over, List<Letter> letters)
      throws InterruptedException {
    var stored = new Outcome(synchronizedList(new ArrayList<>()), synchronizedList(letters));
    try {
      parts.each(batch, r -> r.item().request().workspaceId(), part -> accept(part, over, stored));
    } catch (RuntimeException e) {
      stored.accepted().forEach(onAccepted); // all of the batch comes again, and these are known
      throw e;
    }
    return stored.accepted();
  }

  /** What became of a batch, told by all who store a part of it. */
  private record Outcome(List<Accepted> accepted, List<Letter> letters) {}

  /**
   * A row that PostgreSQL refuses is found by halves, so that the others are stored all the same.
   */
  private void accept(List<Request> batch, Set<UUID> over, Outcome outcome) {
    try {
      store.accept(batch.stream().map(Request::item).toList(), over, outcome.accepted());
    } catch (DataAccessException e) {
      if (!isRefusal(e)) {
        throw e;
      }
      if (batch.size() == 1) {
        outcome
            .letters()
            .add(
                new Letter(
                    batch.getFirst().received(),
                    DeadLetterReason.NOT_STORABLE,
                    "PostgreSQL refuses to store this request"));
        return;
      }
      int half = batch.size() / 2;
      accept(batch.subList(0, half), over, outcome);
      accept(batch.subList(half, batch.size()), over, outcome);
    }
  }

  /**
   * About the data, not about the server: SQLState class 22 (data) or 23 (constraint), or 54 (too
   * complex).
   */
  public static boolean isRefusal(DataAccessException e) {
    if (e instanceof TransientDataAccessException
        || !(e.getMostSpecificCause() instanceof SQLException cause)
        || cause.getSQLState() == null) {
      return false;
    }
    String state = cause.getSQLState();
    return state.startsWith("22") || state.startsWith("23") || state.startsWith("54");
  }
}
