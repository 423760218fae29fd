package dev.sluice.bench.stack;

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
    return Stream.concat(Stream.of(ProcessHandle.current()), SERVERS.stream())
            .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
            .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
            .mapToLong(Duration::toNanos)
            .sum()
        / 1e9;
  }
}
