package dev.sluice.bench.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Of this JVM and the servers it has started. On a machine where others work, too, a rate says how
 * much of it was left; this says what was used.
 */
public final class CpuTime {
  /** PostgreSQL leaves its parent behind when it starts, so it has to be named. */
  private static final List<ProcessHandle> SERVERS = new CopyOnWriteArrayList<>();

  private CpuTime() {}

  static void alsoOf(ProcessHandle server) {
    SERVERS.add(server);
  }

  public static double seconds() {
    return ofTree(ProcessHandle.current()) + ofServers();
  }

  /** Of PostgreSQL, all its processes. */
  public static double ofServers() {
    return SERVERS.stream().mapToDouble(CpuTime::ofTree).sum();
  }

  /** Of this JVM, without the processes it has started. */
  public static double ofThisJvm() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos() / 1e9;
  }

  /** Of a process and its descendants, those that have ended meanwhile among them. */
  static double ofTree(ProcessHandle root) {
    return Stream.concat(Stream.of(root), root.descendants()).mapToDouble(CpuTime::of).sum();
  }

  private static double of(ProcessHandle process) {
    Path stat = Path.of("/proc", Long.toString(process.pid()), "stat");
    try {
      if (Files.isReadable(stat)) {
        return ProcStat.parse(Files.readString(stat)).seconds();
      }
    } catch (IOException e) {
      // It ended just now.
    }
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
  }
}
