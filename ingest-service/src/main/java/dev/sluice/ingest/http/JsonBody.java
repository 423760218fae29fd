package dev.sluice.ingest.http;

import dev.sluice.contracts.RequestParser;
import io.swagger.v3.oas.annotations.Parameter;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an {@code ObjectNode} parameter that is the strictly parsed body, read no further than its
 * limit.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Parameter(hidden = true)
@interface JsonBody {
  int largest() default RequestParser.LARGEST_BODY;

  /** An absent body then reads as an empty object. */
  boolean required() default true;
}
