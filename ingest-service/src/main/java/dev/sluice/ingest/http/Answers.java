package dev.sluice.ingest.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.sluice.ingest.status.Execution;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Bodies of 202. */
final class Answers {
  private Answers() {}

  /** {@code status} is always ACCEPTED. */
  record Accepted(UUID id, String workspaceId, String status) {
    static Accepted of(UUID id, String workspaceId) {
      return new Accepted(id, workspaceId, Execution.ACCEPTED);
    }
  }

  /** In the order of the request. */
  record AcceptedBatch(List<AcceptedId> executions) {}

  /** One of a batch. */
  record AcceptedId(UUID id) {}

  /**
   * What a bulk action came to.
   *
   * @param dryRun only counted, nothing was done
   * @param more there are more than one call takes: call again with {@code after} = {@code next}
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Matched(
      long matched, @Nullable Boolean dryRun, @Nullable Boolean more, @Nullable String next) {}

  static String location(UUID id) {
    return "/v1/executions/" + id;
  }
}
