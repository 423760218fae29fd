package dev.sluice.ingest.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The statuses an operation may answer with a problem document, on top of those that any may: 400,
 * 406, 500 and 503.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface Problems {
  int[] value();
}
