package dev.sluice.servers;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.temporal.api.workflowservice.v1.DescribeNamespaceRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The CLI's dev server as a child process. Its number is kept beside its data, see {@link
 * #endOrphan}.
 */
final class TemporalProcess implements AutoCloseable {
  private static final String CALLBACKS_TO_LOOPBACK =
      "component.callbacks.allowedAddresses=[{\"Pattern\":\"127.0.0.1:*\",\"AllowInsecure\":true}]";
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration STOP = Duration.ofSeconds(15);

  private final Process process;
  private final Path pidFile;

  private TemporalProcess(Process process, Path pidFile) {
    this.process = process;
    this.pidFile = pidFile;
  }

  static TemporalProcess start(Path cli, Path dbFile, int port) {
    Path log = Folders.writable(dbFile.resolveSibling("logs")).resolve("temporal.log");
    try {
      Process child =
          new ProcessBuilder(command(cli, dbFile, port))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      var started = new TemporalProcess(child, beside(dbFile, ".pid"));
      Files.writeString(started.pidFile, Long.toString(child.pid()));
      started.awaitAnswer(port, log);
      return started;
    } catch (IOException e) {
      throw new CannotStart(
          "The Temporal server %s cannot be run; set TEMPORAL_CLI to a working temporal program."
              .formatted(cli),
          e);
    }
  }

  /** Ends the server that a killed JVM of ours left behind on the same data. */
  static void endOrphan(Path dbFile) {
    Path pidFile = beside(dbFile, ".pid");
    if (!Files.exists(pidFile)) {
      return;
    }
    try {
      long pid = Long.parseLong(Files.readString(pidFile).strip());
      var orphan = OrphanProcess.find(pid, info -> runsOn(dbFile, info));
      if (orphan.isPresent()) {
        orphan.get().stop("TERM");
      }
      Files.delete(pidFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CannotStart("The start of Temporal was interrupted; start again.", e);
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
    Files.deleteIfExists(pidFile);
  }

  private static List<String> command(Path cli, Path dbFile, int port) {
    var command = new ArrayList<String>();
    if (onPath("setsid")) {
      // A Ctrl-C in the terminal goes to the whole process group; the server must outlive the
      // services, so it gets a group of its own.
      command.add("setsid");
    }
    command.addAll(List.of(cli.toString(), "server", "start-dev", "--headless"));
    command.addAll(List.of("--ip", Ports.LOOPBACK, "--port", Integer.toString(port)));
    command.addAll(List.of("--db-filename", dbFile.toString(), "--log-level", "error"));
    command.addAll(List.of("--dynamic-config-value", CALLBACKS_TO_LOOPBACK));
    return command;
  }

  private static boolean onPath(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private void awaitAnswer(int port, Path log) {
    long deadline = System.nanoTime() + START.toNanos();
    ManagedChannel channel =
        Grpc.newChannelBuilderForAddress(Ports.LOOPBACK, port, InsecureChannelCredentials.create())
            .build();
    try {
      while (!answers(channel)) {
        if (System.nanoTime() > deadline || process.waitFor(100, TimeUnit.MILLISECONDS)) {
          process.destroyForcibly();
          throw new CannotStart(
              "The Temporal server did not start on port %d; %s says why.".formatted(port, log));
        }
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new CannotStart("The start of Temporal was interrupted; start again.", e);
    } finally {
      channel.shutdownNow();
    }
  }

  private static boolean answers(ManagedChannel channel) {
    try {
      var request = DescribeNamespaceRequest.newBuilder().setNamespace("default").build();
      var reply =
          WorkflowServiceGrpc.newBlockingStub(channel)
              .withDeadlineAfter(2, TimeUnit.SECONDS)
              .withWaitForReady()
              .describeNamespace(request);
      return reply.hasNamespaceInfo();
    } catch (StatusRuntimeException e) {
      return false;
    }
  }

  private static boolean runsOn(Path dbFile, ProcessHandle.Info info) {
    return info.commandLine().map(line -> line.contains(dbFile.toString())).orElse(false);
  }

  private static Path beside(Path dbFile, String suffix) {
    return dbFile.resolveSibling(dbFile.getFileName() + suffix);
  }
}
