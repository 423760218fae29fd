package dev.sluice.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Folders of test runs, one per JVM. Those of JVMs that were killed are cleaned up by the next. */
final class TestFolders {
  private static final String PREFIX = "test-stack-";

  private TestFolders() {}

  static Path fresh(Path parent) {
    try {
      Files.createDirectories(parent);
      removeAbandoned(parent);
      Path folder = parent.resolve(PREFIX + ProcessHandle.current().pid()).toAbsolutePath();
      Folders.delete(folder);
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static void removeAbandoned(Path parent) throws IOException, InterruptedException {
    try (var folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path folder : folders) {
        long owner = Long.parseLong(folder.getFileName().toString().substring(PREFIX.length()));
        if (ProcessHandle.of(owner).isEmpty()) {
          PostgresLeftovers.stopServer(folder.resolve("postgres"));
          TemporalProcess.endOrphan(folder.resolve("temporal.db").toAbsolutePath());
          Folders.delete(folder);
        }
      }
    }
  }
}
