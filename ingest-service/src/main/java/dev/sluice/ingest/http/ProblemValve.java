package dev.sluice.ingest.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.contracts.Json;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/** A problem document for what Tomcat refuses before Spring sees it, such as a malformed path. */
public final class ProblemValve extends ErrorReportValve {
  private static final Logger log = LoggerFactory.getLogger(ProblemValve.class);

  @Override
  protected void report(Request request, Response response, @Nullable Throwable throwable) {
    int status = response.getStatus();
    // Same conditions as Tomcat's own page: an error, nobody wrote an answer yet, and we are first.
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    HttpStatus known = HttpStatus.resolve(status);
    String title = known == null ? "Error" : known.getReasonPhrase();
    var problem =
        Problem.of(
            HttpStatus.valueOf(known == null ? 500 : status),
            "refused",
            title,
            "The request could not be read as HTTP");
    try {
      response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
      var out = response.getReporter();
      if (out != null) {
        out.write(new String(Json.MAPPER.writeValueAsBytes(problem), UTF_8));
        response.finishResponse();
      }
    } catch (IOException | IllegalStateException clientGone) {
      log.atDebug().setCause(clientGone).log("error page not written");
    }
  }
}
