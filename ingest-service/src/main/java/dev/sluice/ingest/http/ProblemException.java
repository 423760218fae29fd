package dev.sluice.ingest.http;

import static org.springframework.http.HttpStatus.BAD_REQUEST;
import static org.springframework.http.HttpStatus.CONFLICT;
import static org.springframework.http.HttpStatus.CONTENT_TOO_LARGE;
import static org.springframework.http.HttpStatus.NOT_FOUND;
import static org.springframework.http.HttpStatus.SERVICE_UNAVAILABLE;
import static org.springframework.http.HttpStatus.TOO_MANY_REQUESTS;
import static org.springframework.http.HttpStatus.UNPROCESSABLE_CONTENT;

import dev.sluice.contracts.FieldProblem;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ends a request with a problem document. */
final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Problem problem;
  private final @Nullable Duration retryAfter;

  private ProblemException(Problem problem, @Nullable Duration retryAfter) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  private ProblemException(Problem problem) {
    this(problem, null);
  }

  static ProblemException badFields(List<FieldProblem> fields) {
    return new ProblemException(
        Problem.of(
                BAD_REQUEST,
                "bad-request",
                "The request is not right",
                String.join("; ", fields.stream().map(FieldProblem::toString).toList()))
            .withErrors(fields));
  }

  static ProblemException badField(String field, String message) {
    return badFields(List.of(new FieldProblem(field, message)));
  }

  static ProblemException notFound(String kind, String detail) {
    return new ProblemException(Problem.of(NOT_FOUND, kind, "Not found", detail));
  }

  static ProblemException unknown(String what, String id, String field) {
    String message = "there is no %s %s".formatted(what, id);
    return new ProblemException(
        Problem.of(UNPROCESSABLE_CONTENT, "unknown-" + what, "Unknown " + what, message)
            .withErrors(List.of(new FieldProblem(field, message))));
  }

  static ProblemException conflict(String kind, String detail) {
    return new ProblemException(
        Problem.of(CONFLICT, kind, "Not possible in its present state", detail));
  }

  static ProblemException tooLarge(String detail) {
    return new ProblemException(
        Problem.of(CONTENT_TOO_LARGE, "too-large", "The request is too large", detail));
  }

  static ProblemException backlogFull(String workspace, Duration retryAfter) {
    return new ProblemException(
        Problem.of(
            TOO_MANY_REQUESTS,
            "backlog-full",
            "Too much is waiting",
            "workspace %s has too many items waiting".formatted(workspace)),
        retryAfter);
  }

  static ProblemException unavailable(String kind, String detail, Duration retryAfter) {
    return new ProblemException(
        Problem.of(SERVICE_UNAVAILABLE, kind, "Try again soon", detail), retryAfter);
  }

  Problem problem() {
    return problem;
  }

  @Nullable Duration retryAfter() {
    return retryAfter;
  }
}
