package dev.sluice.ingest.http;

import static org.springframework.http.HttpStatus.FORBIDDEN;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Somebody else's page, open in an operator's browser, must not act in the operator's place: a
 * cancel or a pause needs no body, so a plain form could send one, and a network that only lets
 * operators in would let it in. Browsers say where a request comes from; whoever is no browser says
 * nothing of the kind and is not asked.
 */
@Component
class ForeignPages extends OncePerRequestFilter {
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

  /** {@code none}: a bookmark, or what somebody typed. */
  private static final Set<String> OURS = Set.of("same-origin", "none");

  private static final Problem REFUSED =
      Problem.of(
          FORBIDDEN,
          "foreign-page",
          "Not from another page",
          "a browser sent this for a page of another origin; a proxy in front of Sluice must pass"
              + " the Host header on");

  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    return SAFE.contains(request.getMethod());
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (isForeign(request)) {
      REFUSED.send(response);
    } else {
      chain.doFilter(request, response);
    }
  }

  private static boolean isForeign(HttpServletRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null) {
      return !OURS.contains(site);
    }
    // Browsers leave it out over plain HTTP, except on this machine.
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    return origin != null && !origin.endsWith("://" + request.getHeader(HttpHeaders.HOST));
  }
}
