package dev.sluice.ingest.http;

import static org.springframework.http.HttpStatus.INTERNAL_SERVER_ERROR;
import static org.springframework.http.HttpStatus.SERVICE_UNAVAILABLE;

import dev.sluice.contracts.FieldProblem;
import dev.sluice.ingest.publish.KafkaAway;
import dev.sluice.ingest.status.TooManyWaiting;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.TransactionException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** The one place where an exception becomes a problem document. */
@RestControllerAdvice
class ProblemAdvice extends ResponseEntityExceptionHandler {
  private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);
  private static final Duration SOON = Duration.ofSeconds(2);

  @ExceptionHandler
  ResponseEntity<Object> problem(ProblemException e) {
    return answer(e.problem(), retryAfter(e.retryAfter()));
  }

  @ExceptionHandler
  ResponseEntity<Object> tooManyWaiting(TooManyWaiting e) {
    return answer(
        Problem.of(
            SERVICE_UNAVAILABLE,
            "too-many-waiting",
            "Try again soon",
            "As many requests wait as this instance has room for; ask again, or without wait"),
        retryAfter(SOON));
  }

  @ExceptionHandler
  ResponseEntity<Object> kafkaAway(KafkaAway e) {
    log.atWarn().addKeyValue("cause", e.getMessage()).log("Kafka is away");
    return answer(
        Problem.of(
            SERVICE_UNAVAILABLE,
            "kafka-away",
            "Try again soon",
            "Kafka did not answer in time, so nothing was promised; a request may be sent again"
                + " with the same idempotencyKey without being run twice"),
        retryAfter(SOON));
  }

  @ExceptionHandler
  ResponseEntity<Object> database(DataAccessException e) {
    return DatabaseOutage.isBehind(e) ? databaseAway(e) : unexpected(e);
  }

  @ExceptionHandler
  ResponseEntity<Object> transaction(TransactionException e) {
    return DatabaseOutage.isBehind(e) ? databaseAway(e) : unexpected(e);
  }

  /**
   * Tomcat reads parameters when somebody first asks for one, which is in the middle of our work.
   */
  @ExceptionHandler
  ResponseEntity<Object> query(InvalidParameterException e) {
    return answer(
        ProblemException.badField("", "the query string cannot be read").problem(),
        new HttpHeaders());
  }

  @ExceptionHandler
  ResponseEntity<Object> unexpected(Exception e) {
    log.atError().setCause(e).log("unexpected error");
    return answer(
        Problem.of(
            INTERNAL_SERVER_ERROR,
            "internal",
            "Something went wrong here",
            "The service's log has the cause"),
        new HttpHeaders());
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleTypeMismatch(
      TypeMismatchException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
    String field =
        e instanceof MethodArgumentTypeMismatchException argument ? argument.getName() : "";
    return answer(
        ProblemException.badFields(List.of(new FieldProblem(field, "has the wrong form")))
            .problem(),
        headers);
  }

  /** What Spring found out: no such path, method, media type and the like. */
  @Override
  protected @Nullable ResponseEntity<Object> handleExceptionInternal(
      Exception e,
      @Nullable Object body,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    HttpStatus known = HttpStatus.valueOf(status.value());
    String detail = e instanceof ErrorResponse error ? error.getBody().getDetail() : null;
    String kind = known.getReasonPhrase().toLowerCase(Locale.ROOT).replace(' ', '-');
    return answer(
        Problem.of(status, kind, known.getReasonPhrase(), detail == null ? "" : detail), headers);
  }

  private static ResponseEntity<Object> databaseAway(RuntimeException e) {
    log.atWarn().addKeyValue("cause", e.getClass().getSimpleName()).log("PostgreSQL is away");
    return answer(
        Problem.of(
            SERVICE_UNAVAILABLE,
            "database-away",
            "Try again soon",
            "The database cannot be reached at the moment"),
        retryAfter(SOON));
  }

  private static HttpHeaders retryAfter(@Nullable Duration duration) {
    var headers = new HttpHeaders();
    if (duration != null) {
      headers.set(HttpHeaders.RETRY_AFTER, Long.toString(Math.max(1, duration.toSeconds())));
    }
    return headers;
  }

  private static ResponseEntity<Object> answer(Problem problem, HttpHeaders more) {
    var headers = new HttpHeaders();
    headers.putAll(more);
    headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
    return new ResponseEntity<>(problem, headers, HttpStatusCode.valueOf(problem.status()));
  }
}
