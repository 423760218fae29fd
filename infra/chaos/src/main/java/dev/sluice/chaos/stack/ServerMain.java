package dev.sluice.chaos.stack;

import dev.sluice.servers.LocalKafka;
import dev.sluice.servers.LocalPostgres;
import dev.sluice.servers.LocalTemporal;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** One server in a JVM of its own, so that it can be killed alone: KIND FOLDER PORT. */
public final class ServerMain {
  private ServerMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    Path folder = Path.of(arguments[1]);
    int port = Integer.parseInt(arguments[2]);
    AutoCloseable server =
        switch (arguments[0]) {
          case "kafka" -> LocalKafka.start(folder, port);
          case "postgres" -> LocalPostgres.start(folder, port);
          case "temporal" -> LocalTemporal.inMemory(port);
          default -> throw new IllegalArgumentException("no server " + arguments[0]);
        };
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server)));
    new CountDownLatch(1).await();
  }

  private static void close(AutoCloseable server) {
    try {
      server.close();
    } catch (Exception e) {
      throw new IllegalStateException("did not stop cleanly", e);
    }
  }
}
