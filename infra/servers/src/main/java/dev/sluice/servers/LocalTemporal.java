package dev.sluice.servers;

import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.temporal.internal.testservice.GRPCServerHelper;
import io.temporal.internal.testservice.TestServicesStarter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A Temporal server of this machine: the SDK's in-memory one, or a real one run by the {@code
 * temporal} CLI with its data in a file.
 */
public final class LocalTemporal implements AutoCloseable {
  private final String kind;
  private final int port;
  private final boolean callbacks;
  private final AutoCloseable running;

  private LocalTemporal(String kind, int port, boolean callbacks, AutoCloseable running) {
    this.kind = kind;
    this.port = port;
    this.callbacks = callbacks;
    this.running = running;
  }

  /** Starts the in-memory server; port 0 is any free one. */
  public static LocalTemporal inMemory(int port) {
    return inMemory(port, List.of());
  }

  /**
   * @param interceptors who sees what it is asked
   */
  public static LocalTemporal inMemory(int port, List<ServerInterceptor> interceptors) {
    int claimed = claim(port);
    // Without the lock the server's clock would jump ahead whenever all workflows wait for a timer.
    var services = new TestServicesStarter(/* lockTimeSkipping= */ true, 0);
    var builder = NettyServerBuilder.forAddress(Ports.onLoopback(claimed));
    interceptors.forEach(builder::intercept);
    GRPCServerHelper.registerServicesAndHealthChecks(services.getServices(), builder);
    try {
      Server server = builder.build().start();
      return new LocalTemporal("in-memory", claimed, false, () -> stop(server, services));
    } catch (IOException e) {
      services.close();
      throw new CannotStart(
          "The in-memory Temporal did not start on port %d; choose another with SLUICE_TEMPORAL_PORT."
              .formatted(claimed),
          e);
    }
  }

  /**
   * Starts a real server and waits until it answers.
   *
   * @param cli the {@code temporal} program
   * @param dbFile where the server keeps its data, made when missing
   * @param port 0 for any free one
   */
  public static LocalTemporal server(Path cli, Path dbFile, int port) {
    Path file = dbFile.toAbsolutePath().normalize();
    Folders.writable(file.resolveSibling(""));
    TemporalProcess.endOrphan(file);
    int claimed = claim(port);
    return new LocalTemporal(
        "temporal server", claimed, true, TemporalProcess.start(cli, file, claimed));
  }

  /** The {@code temporal} program, where there is one: see {@link TemporalCli}. */
  public static Optional<Path> findCli() {
    return TemporalCli.find();
  }

  public String address() {
    return Ports.LOOPBACK + ":" + port;
  }

  public int port() {
    return port;
  }

  /** "in-memory" or "temporal server". */
  public String kind() {
    return kind;
  }

  /** Whether a workflow's completion callback to a loopback address is called. */
  public boolean callbacks() {
    return callbacks;
  }

  @Override
  public void close() {
    try {
      running.close();
    } catch (Exception e) {
      throw new IllegalStateException("cannot stop Temporal", e);
    }
  }

  private static int claim(int port) {
    return Ports.claim(port, "Temporal", "SLUICE_TEMPORAL_PORT");
  }

  private static void stop(Server server, TestServicesStarter services)
      throws InterruptedException {
    server.shutdown();
    services.close();
    if (!server.awaitTermination(2, TimeUnit.SECONDS)) {
      // Long polls of workers and clients that are still there.
      server.shutdownNow();
      server.awaitTermination(5, TimeUnit.SECONDS);
    }
  }
}
