package dev.sluice.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What an earlier start may have left: a running server, a half-made data folder, the unpacked
 * binaries.
 */
final class PostgresLeftovers {
  private PostgresLeftovers() {}

  /** After this the data folder is a stopped server's or empty. */
  static void clear(Path data) throws IOException, InterruptedException {
    stopServer(data);
    if (Files.exists(setupMarker(data))) {
      // Killed while the folder was being made: nobody can have stored anything yet.
      Folders.delete(data);
      Files.createDirectories(data);
    }
  }

  static void beginSetup(Path data) throws IOException {
    if (!Files.exists(data.resolve("PG_VERSION"))) {
      Files.writeString(setupMarker(data), "");
    }
  }

  static void endSetup(Path data) throws IOException {
    Files.deleteIfExists(setupMarker(data));
  }

  /**
   * Where the binaries are unpacked, once per user: 50 MB, and two seconds of every first start.
   */
  static Path binaries() {
    return Folders.writable(UserFolder.path().resolve("postgres-binaries"));
  }

  static void stopServer(Path data) throws IOException, InterruptedException {
    Path pidFile = data.resolve("postmaster.pid");
    if (!Files.exists(pidFile)) {
      return;
    }
    long pid = Long.parseLong(Files.readAllLines(pidFile).getFirst().strip());
    var orphan =
        OrphanProcess.find(
            pid, info -> info.command().map(c -> c.endsWith("/postgres")).orElse(false));
    if (orphan.isPresent()) {
      // SIGINT is PostgreSQL's "fast" stop: sessions are ended, the data is complete.
      orphan.get().stop("INT");
    }
  }

  private static Path setupMarker(Path data) {
    return data.resolveSibling(data.getFileName() + ".setup");
  }
}
