package dev.sluice.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** Data folders: made when missing, refused with a sentence when they cannot be written. */
public final class Folders {
  private Folders() {}

  public static Path writable(Path folder) {
    Path absolute = folder.toAbsolutePath().normalize();
    try {
      Files.createDirectories(absolute);
      Files.delete(Files.createTempFile(absolute, "write", ".check"));
      return absolute;
    } catch (IOException e) {
      throw new CannotStart(
          "The data folder %s cannot be written; make it writable or name another one."
              .formatted(absolute),
          e);
    }
  }

  public static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (var paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
