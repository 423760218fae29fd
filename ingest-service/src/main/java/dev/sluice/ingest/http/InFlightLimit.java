package dev.sluice.ingest.http;

import static org.springframework.http.HttpStatus.SERVICE_UNAVAILABLE;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Virtual threads are free, the buffers of a request are not: a hundred kilobytes each. Ten
 * thousand waiting clients once took the heap of everything that ran beside them.
 */
@Component
class InFlightLimit extends OncePerRequestFilter {
  private static final Problem FULL =
      Problem.of(
          SERVICE_UNAVAILABLE,
          "too-many-requests-under-way",
          "Try again soon",
          "as many requests as this instance has room for are under way");

  private final int most;
  private final AtomicInteger inFlight = new AtomicInteger();

  InFlightLimit(HttpSettings settings) {
    most = settings.mostInFlightOrDefault();
  }

  /** A probe that fails because of load would take the instance away from those it serves. */
  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    return !request.getRequestURI().startsWith("/v1/");
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    try {
      if (inFlight.incrementAndGet() <= most) {
        chain.doFilter(request, response);
      } else {
        refuse(response);
      }
    } finally {
      inFlight.decrementAndGet();
    }
  }

  private static void refuse(HttpServletResponse response) throws IOException {
    response.setHeader(HttpHeaders.RETRY_AFTER, "1");
    FULL.send(response);
  }
}
