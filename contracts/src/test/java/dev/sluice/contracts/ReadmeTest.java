package dev.sluice.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReadmeTest {
  /** When this fails, the transition table has changed: put what it prints into the README. */
  @Test
  void theDiagramInTheReadmeIsTheTransitionTable() throws IOException {
    assertThat(Files.readString(Path.of("../README.md")))
        .contains("```mermaid\n" + ItemTransition.mermaid() + "```");
  }
}
