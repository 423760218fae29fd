package dev.sluice.ingest.http;

import dev.sluice.contracts.FieldReader;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Limits of a page, and where it begins. */
final class Paging {
  static final int LARGEST_PAGE = 200;

  /** What {@code after} of a list by number looks like. */
  static final String NUMBER = "^[0-9]{1,18}$";

  private Paging() {}

  /** How the parameter {@code limit} is described. */
  @Parameter(
      schema =
          @Schema(
              types = "integer",
              format = "int32",
              minimum = "1",
              maximum = "200",
              defaultValue = "50"))
  @Target(ElementType.PARAMETER)
  @Retention(RetentionPolicy.RUNTIME)
  @interface Limit {}

  /** How the parameter {@code after} of a list by id is described. */
  @Parameter(
      description = "next of the page before",
      schema = @Schema(types = "string", pattern = "^[A-Za-z0-9_.:-]{0,64}$"))
  @Target(ElementType.PARAMETER)
  @Retention(RetentionPolicy.RUNTIME)
  @interface After {}

  /** How the parameter {@code after} of a list by number is described. */
  @Parameter(
      description = "next of the page before",
      schema = @Schema(types = "string", pattern = NUMBER))
  @Target(ElementType.PARAMETER)
  @Retention(RetentionPolicy.RUNTIME)
  @interface AfterNumber {}

  static void check(int limit) {
    if (limit < 1 || limit > LARGEST_PAGE) {
      throw ProblemException.badField("limit", "must be from 1 to " + LARGEST_PAGE);
    }
  }

  /**
   * @param after an id, or empty for the first page
   */
  static void check(int limit, String after) {
    check(limit);
    if (!after.isEmpty() && !FieldReader.isId(after)) {
      throw notOurs();
    }
  }

  /** Where a page begins that is ordered by a number. */
  static Optional<Long> number(@Nullable String after) {
    if (after != null && !after.matches(NUMBER)) {
      throw notOurs();
    }
    return Optional.ofNullable(after).map(Long::valueOf);
  }

  static ProblemException notOurs() {
    return ProblemException.badField("after", "must be what a page gave as next");
  }
}
