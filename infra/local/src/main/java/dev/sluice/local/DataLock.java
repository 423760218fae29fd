package dev.sluice.local;

import dev.sluice.servers.CannotStart;
import dev.sluice.servers.Folders;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Two copies on the same data would destroy it; the system gives the lock back even after kill -9.
 */
final class DataLock implements AutoCloseable {
  private final FileChannel channel;

  private DataLock(FileChannel channel) {
    this.channel = channel;
  }

  static DataLock take(Path data) {
    Path file = Folders.writable(data).resolve("lock");
    try {
      var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (tryLock(channel) == null) {
        channel.close();
        throw new CannotStart(
            "Sluice is running on the data in %s already; stop it or name another folder with --data."
                .formatted(file.resolveSibling("")));
      }
      return new DataLock(channel);
    } catch (IOException e) {
      throw new CannotStart(
          "The lock file %s cannot be written; make it writable or name another folder with --data."
              .formatted(file),
          e);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }
}
