package dev.sluice.servers;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the {@code temporal} program: the one named by {@code TEMPORAL_CLI} (system property or
 * environment), else the one on the PATH, else the one that {@code infra/local/get-temporal} put
 * into {@code ~/.sluice/bin}.
 */
final class TemporalCli {
  static final String SETTING = "TEMPORAL_CLI";

  private TemporalCli() {}

  static Optional<Path> find() {
    String named = System.getProperty(SETTING, System.getenv().getOrDefault(SETTING, ""));
    if (!named.isBlank()) {
      return Optional.of(named(Path.of(named)));
    }
    return Stream.concat(
            Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .filter(folder -> !folder.isBlank())
                .map(Path::of),
            Stream.of(UserFolder.path().resolve("bin")))
        .map(folder -> folder.resolve("temporal"))
        .filter(TemporalCli::runnable)
        .findFirst();
  }

  private static Path named(Path program) {
    if (!runnable(program)) {
      throw new CannotStart(
          "%s names %s, which is not a program; name the temporal CLI or leave it out."
              .formatted(SETTING, program));
    }
    return program;
  }

  private static boolean runnable(Path program) {
    return Files.isRegularFile(program) && Files.isExecutable(program);
  }
}
