package dev.sluice.ingest.bulk;

import dev.sluice.contracts.CancelRequest;
import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Signal;
import dev.sluice.contracts.SignalCodec;
import dev.sluice.ingest.audit.Audit;
import dev.sluice.ingest.audit.Changes;
import dev.sluice.ingest.audit.Operator;
import dev.sluice.ingest.publish.ManyPublisher;
import dev.sluice.ingest.publish.Requests;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/**
 * What a person does to many executions: one record for each, as if each had been named. The
 * dispatcher that owns them looks again before it acts on any.
 */
@Service
public class BulkActions {
  /** In one call. */
  public static final int MOST = 10_000;

  private final BulkRepository repository;
  private final ManyPublisher publisher;
  private final Audit audit;

  BulkActions(BulkRepository repository, ManyPublisher publisher, Audit audit) {
    this.repository = repository;
    this.publisher = publisher;
    this.audit = audit;
  }

  /**
   * What a call came to.
   *
   * @param next where the next call must begin; empty when this was all of it
   */
  public record Done(int matched, Optional<Long> next) {}

  public long countCancellable(BulkFilter filter) {
    return repository.countCancellable(filter);
  }

  public long countRetryable(BulkFilter filter) {
    return repository.countRetryable(filter);
  }

  public Done cancel(BulkFilter filter, @Nullable Duration terminateAfter, Operator by) {
    return publish(
        repository.cancellable(filter, MOST + 1),
        match ->
            Requests.cancel(
                new CancelRequest(filter.workspaceId(), match.id(), by.reason(), terminateAfter),
                null),
        filter,
        "executions.cancel",
        changes(filter).with("terminateAfter", terminateAfter),
        by);
  }

  public Done retry(BulkFilter filter, Operator by) {
    return publish(
        repository.retryable(filter, MOST + 1),
        match ->
            SignalCodec.encode(
                new Signal.Retry(
                    filter.workspaceId(), match.id(), ExecutionIds.mint(), by.reason()),
                EventTypes.INGEST_SOURCE),
        filter,
        "executions.retry",
        changes(filter),
        by);
  }

  private Done publish(
      List<Match> found,
      Function<Match, ProducerRecord<String, byte[]>> encode,
      BulkFilter filter,
      String action,
      Changes changes,
      Operator by) {
    List<Match> matches = found.size() > MOST ? found.subList(0, MOST) : found;
    var sent = publisher.publish(matches.stream().map(encode).toList());
    changes.with("matched", matches.size());
    if (sent.failure().isPresent()) {
      changes.with("acknowledged", sent.acknowledged());
    }
    // What has been acknowledged will happen, whatever became of the rest.
    if (sent.failure().isEmpty() || sent.acknowledged() > 0) {
      audit.published(by, action, filter.workspaceId(), null, changes);
    }
    if (sent.failure().isPresent()) {
      throw sent.failure().get();
    }
    return new Done(
        matches.size(),
        found.size() > MOST ? Optional.of(matches.getLast().seq()) : Optional.empty());
  }

  private static Changes changes(BulkFilter filter) {
    return Changes.none()
        .with("status", filter.status().orElse(null))
        .with("definitionId", filter.definitionId().orElse(null))
        .with("partitionKey", filter.partitionKey().orElse(null))
        .with("acceptedBefore", filter.acceptedBefore().orElse(null))
        .with("acceptedAfter", filter.acceptedAfter().orElse(null))
        .with("after", filter.after().orElse(null));
  }
}
