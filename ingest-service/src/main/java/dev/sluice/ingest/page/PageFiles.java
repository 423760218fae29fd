package dev.sluice.ingest.page;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.util.DigestUtils;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;

/**
 * The files of the operators' page. They tell the browser to run and load nothing but them, so that
 * whatever a tenant puts into an input or an error stays text.
 */
final class PageFiles extends ResourceHttpRequestHandler {
  /**
   * Not {@code static/}, which every service in one JVM would serve: {@code ./sluice up} has them
   * all on one class path.
   */
  private static final String FOLDER = "page/";

  private static final Resource FRONT = new ClassPathResource(FOLDER + "index.html");

  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "no-referrer");

  PageFiles() {
    setLocations(List.of(new ClassPathResource(FOLDER)));
    setCacheControl(CacheControl.noCache());
    // Of what is in it: builds are reproducible, so the files of any two have the same age.
    setUseLastModified(false);
    setEtagGenerator(PageFiles::tag);
  }

  @Override
  protected @Nullable Resource getResource(HttpServletRequest request) throws IOException {
    return "/".equals(request.getServletPath()) ? FRONT : super.getResource(request);
  }

  @Override
  protected void setHeaders(
      HttpServletResponse response, Resource resource, @Nullable MediaType type)
      throws IOException {
    super.setHeaders(response, resource, type);
    HEADERS.forEach(response::setHeader);
  }

  private static String tag(Resource file) {
    try (var content = file.getInputStream()) {
      return "\"" + DigestUtils.md5DigestAsHex(content) + "\"";
    } catch (IOException e) {
      throw new UncheckedIOException(HttpHeaders.ETAG + " of " + file, e);
    }
  }
}
