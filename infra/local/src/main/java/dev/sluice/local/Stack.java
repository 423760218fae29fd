package dev.sluice.local;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All parts: each is started as soon as those it needs are up, and stopped before them. */
final class Stack implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Stack.class);
  private static final Executor THREADS = task -> Thread.ofPlatform().name("start").start(task);

  private final Console console;
  private final Map<Part, CompletableFuture<Running>> parts = new EnumMap<>(Part.class);

  Stack(Console console) {
    this.console = console;
  }

  void startServers(Servers servers) {
    start(Part.POSTGRES, servers::postgres);
    start(Part.KAFKA, servers::kafka);
    start(Part.TEMPORAL, servers::temporal);
  }

  void startServices(Services services) {
    startAfter(List.of(Part.TEMPORAL), Part.WORKER, services);
    var all = List.of(Part.POSTGRES, Part.KAFKA, Part.TEMPORAL);
    startAfter(all, Part.DISPATCHER, services);
    startAfter(all, Part.INGEST, services);
    startAfter(all, Part.RECOVERY, services);
  }

  /** The parts that are up, in the order of a ready line. */
  List<Running> await() {
    var all = CompletableFuture.allOf(parts.values().toArray(CompletableFuture[]::new));
    var firstFailure = new CompletableFuture<Void>();
    for (var part : parts.values()) {
      var unused = part.whenComplete((running, failure) -> fail(firstFailure, failure));
    }
    try {
      CompletableFuture.anyOf(all, firstFailure).join();
      return parts.values().stream().map(CompletableFuture::join).toList().reversed();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException reason ? reason : e;
    }
  }

  /** Waits for what is still starting and stops everything, services before servers. */
  @Override
  public void close() {
    for (var part : List.copyOf(parts.entrySet()).reversed()) {
      part.getValue()
          .handle(
              (running, failure) -> {
                if (running != null) {
                  stop(running);
                }
                return part.getKey();
              })
          .join();
    }
  }

  private void start(Part part, Supplier<Running> how) {
    parts.put(part, CompletableFuture.supplyAsync(() -> timed(part, how), THREADS));
  }

  private void startAfter(List<Part> needed, Part service, Services services) {
    var servers = needed.stream().map(parts::get).toList();
    var up = CompletableFuture.allOf(servers.toArray(CompletableFuture[]::new));
    parts.put(
        service,
        up.thenApplyAsync(
            nothing -> {
              Map<Part, Running> running = new EnumMap<>(Part.class);
              servers.forEach(server -> running.put(server.join().part(), server.join()));
              return timed(service, () -> services.start(service, running));
            },
            THREADS));
  }

  private Running timed(Part part, Supplier<Running> how) {
    long begin = System.nanoTime();
    try {
      Running running = how.get();
      console.started(part, Duration.ofNanos(System.nanoTime() - begin));
      return running;
    } catch (RuntimeException e) {
      throw new PartFailed(part, e);
    }
  }

  private static void fail(CompletableFuture<Void> outcome, @Nullable Throwable failure) {
    if (failure != null) {
      outcome.completeExceptionally(failure);
    }
  }

  private static void stop(Running running) {
    try {
      running.stop().close();
    } catch (Exception e) {
      log.atError().addKeyValue("part", running.part()).setCause(e).log("did not stop cleanly");
    }
  }
}
