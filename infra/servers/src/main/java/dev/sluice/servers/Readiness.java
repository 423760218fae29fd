package dev.sluice.servers;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Whether a process that was started answers yet. */
public final class Readiness {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private Readiness() {}

  /** False also when nobody listens there. */
  public static boolean answers(HttpClient http, URI address) {
    try {
      var request = HttpRequest.newBuilder(address).timeout(PATIENCE).build();
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
