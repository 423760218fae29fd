package dev.sluice.ingest.catalogue;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a request does that meets another of its definition with its partition key. */
public enum Collision {
  QUEUE,
  REJECT,
  CANCEL_RUNNING,
  REPLACE_WAITING;

  @JsonValue
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static Optional<Collision> of(String text) {
    return Arrays.stream(values()).filter(one -> one.text().equals(text)).findFirst();
  }
}
