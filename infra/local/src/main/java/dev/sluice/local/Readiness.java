package dev.sluice.local;

import dev.sluice.servers.CannotStart;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** Waits until every service says that it is ready for work, not only that it listens. */
final class Readiness {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final Duration BETWEEN = Duration.ofMillis(100);

  private Readiness() {}

  static void await(List<Running> parts) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try {
      for (Running running : parts) {
        while (running.part().isService() && !ready(running)) {
          if (System.nanoTime() > deadline) {
            throw new CannotStart(
                "%s is not ready after %d s; the log and %s/actuator/health say why."
                    .formatted(running.part().label(), PATIENCE.toSeconds(), running.address()));
          }
          Thread.sleep(BETWEEN);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CannotStart("The start was interrupted; start again.", e);
    }
  }

  private static boolean ready(Running service) {
    try {
      var url = URI.create(service.address() + "/actuator/health/readiness").toURL();
      var connection = (HttpURLConnection) url.openConnection();
      connection.setConnectTimeout(2000);
      connection.setReadTimeout(5000);
      return connection.getResponseCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }
}
