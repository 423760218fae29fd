package dev.sluice.ingest.publish;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** Which span a record names as its parent: that of the HTTP request, else the caller's own. */
@Component
public class CurrentTrace {
  private final @Nullable Tracer tracer;

  CurrentTrace(ObjectProvider<Tracer> tracer) {
    this.tracer = tracer.getIfAvailable();
  }

  public @Nullable String orElse(@Nullable String callers) {
    Span span = tracer == null ? null : tracer.currentSpan();
    if (span == null) {
      return callers;
    }
    boolean sampled = Boolean.TRUE.equals(span.context().sampled());
    return "00-%s-%s-%s"
        .formatted(span.context().traceId(), span.context().spanId(), sampled ? "01" : "00");
  }
}
