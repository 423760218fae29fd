package dev.sluice.dispatcher.finish;

import com.google.common.util.concurrent.ListenableFuture;
import dev.sluice.dispatcher.ledger.FinishLedger.Close;
import java.time.Duration;
import java.util.UUID;

/** Who knows whether a workflow has closed. */
public interface CloseSource {
  /** Answers when it closes, or after so long that it has not. */
  ListenableFuture<Heard> listen(UUID id, String workspaceId, Duration longest);

  /** What came back. */
  sealed interface Heard {
    record Closed(Close close) implements Heard {}

    record StillOpen() implements Heard {}

    /** Temporal does not know it, and it may not have been started yet when it was asked. */
    record TooEarly() implements Heard {}

    /** Nobody answered: it says nothing about the workflow. */
    record Nothing(Throwable failure) implements Heard {}
  }
}
