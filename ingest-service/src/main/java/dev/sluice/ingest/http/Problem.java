package dev.sluice.ingest.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.sluice.contracts.FieldProblem;
import dev.sluice.contracts.Json;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;

/**
 * An RFC 9457 problem document.
 *
 * @param type tells the kinds of problem apart for programs: {@code urn:sluice:problem:…}
 * @param errors every field that is wrong, with a path like {@code executions[3].priority}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(description = "An RFC 9457 problem document")
public record Problem(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String type,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String title,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) int status,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String detail,
    @Nullable List<FieldProblem> errors) {

  static Problem of(HttpStatusCode status, String kind, String title, String detail) {
    return new Problem("urn:sluice:problem:" + kind, title, status.value(), detail, null);
  }

  /** For those who answer before a controller does. */
  void send(HttpServletResponse response) throws IOException {
    response.setStatus(status);
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    response.getOutputStream().write(Json.MAPPER.writeValueAsBytes(this));
  }

  Problem withErrors(List<FieldProblem> fields) {
    return new Problem(type, title, status, detail, fields);
  }
}
