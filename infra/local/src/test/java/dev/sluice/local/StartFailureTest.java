package dev.sluice.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.servers.CannotStart;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class StartFailureTest {
  private static final Path LOG = Path.of("/logs/sluice.log");

  @Test
  void aSentenceForTheUserIsFoundHoweverDeepItIs() {
    var failure =
        new PartFailed(
            Part.KAFKA, new IllegalStateException("outer", new CannotStart("Do this and that.")));
    assertThat(StartFailure.sentence(failure, LOG)).isEqualTo("Do this and that.");
  }

  @Test
  void anythingElseNamesThePartTheReasonAndTheLog() {
    var failure =
        new PartFailed(
            Part.INGEST,
            new IllegalStateException("outer", new IllegalArgumentException("inner\nmore")));
    assertThat(StartFailure.sentence(failure, LOG))
        .isEqualTo("ingest did not start: inner (/logs/sluice.log has the details).");
  }
}
