package dev.sluice.dispatcher.trace;

import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The spans of a request's way through the dispatcher. Its trace is the producer's; what was done
 * for many at once is a span of its own that links to theirs. Without a tracer all of it is a null
 * check.
 */
public final class Traces {
  private static final Traces OFF = new Traces(null);

  private final @Nullable Tracer tracer;

  private Traces(@Nullable Tracer tracer) {
    this.tracer = tracer;
  }

  public static Traces of(@Nullable Tracer tracer) {
    return tracer == null ? OFF : new Traces(tracer);
  }

  public static Traces off() {
    return OFF;
  }

  public boolean isOn() {
    return tracer != null;
  }

  /** For {@link #item} and {@link #batch}; not worth asking while it is off. */
  public long now() {
    if (tracer == null) {
      return 0;
    }
    Instant now = Instant.now();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }

  /** A part of a batch's work. */
  public record Part(String name, long from, long to) {}

  /** An item of a batch, and the trace it belongs to. */
  public record Item(UUID id, String workspaceId, @Nullable String traceparent) {}

  /** Something that takes a while and whose outcome is told later. */
  public final class Step {
    private final @Nullable String parent;
    private final @Nullable Span span;

    private Step(@Nullable String parent, @Nullable Span span) {
      this.parent = parent;
      this.span = span;
    }

    /** What those who come after name as their parent. */
    public @Nullable String traceparent() {
      return span == null ? parent : text(span.context());
    }

    public void end(String outcome) {
      if (span != null) {
        span.tag("sluice.outcome", outcome).end();
      }
    }
  }

  public Step begin(String name, Item item) {
    return tracer == null
        ? new Step(item.traceparent(), null)
        : new Step(item.traceparent(), builder(tracer, name, item).start());
  }

  /** What has been done for one item. Its measurements, taken within, point to the trace. */
  public void item(String name, Item item, long from, long to, Runnable measure) {
    if (tracer == null) {
      measure.run();
      return;
    }
    Span span = builder(tracer, name, item).startTimestamp(from, TimeUnit.NANOSECONDS).start();
    try (var scope = tracer.withSpan(span)) {
      Objects.requireNonNull(scope);
      measure.run();
    } finally {
      span.end(to, TimeUnit.NANOSECONDS);
    }
  }

  /** What has been done for all of them together. */
  public void batch(String name, Collection<Item> items, long from, long to, List<Part> parts) {
    if (tracer == null || items.isEmpty()) {
      return;
    }
    Span.Builder builder =
        tracer
            .spanBuilder()
            .setNoParent()
            .name(name)
            .tag("sluice.items", items.size())
            .startTimestamp(from, TimeUnit.NANOSECONDS);
    items.stream()
        .map(item -> context(tracer, item.traceparent()))
        .filter(Objects::nonNull)
        .forEach(context -> builder.addLink(new Link(context, Map.of())));
    Span batch = builder.start();
    for (Part part : parts) {
      tracer
          .spanBuilder()
          .setParent(batch.context())
          .name(name + "." + part.name())
          .startTimestamp(part.from(), TimeUnit.NANOSECONDS)
          .start()
          .end(part.to(), TimeUnit.NANOSECONDS);
    }
    batch.end(to, TimeUnit.NANOSECONDS);
  }

  private static Span.Builder builder(Tracer tracer, String name, Item item) {
    Span.Builder builder =
        tracer
            .spanBuilder()
            .name(name)
            .tag("sluice.workspace", item.workspaceId())
            .tag("sluice.item", item.id().toString());
    TraceContext parent = context(tracer, item.traceparent());
    return parent == null ? builder.setNoParent() : builder.setParent(parent);
  }

  /** Of {@code 00-trace-span-flags}, which was checked when it came in. */
  private static @Nullable TraceContext context(Tracer tracer, @Nullable String traceparent) {
    if (traceparent == null) {
      return null;
    }
    String[] parts = traceparent.split("-");
    return tracer
        .traceContextBuilder()
        .traceId(parts[1])
        .spanId(parts[2])
        .sampled((Integer.parseInt(parts[3], 16) & 1) == 1)
        .build();
  }

  private static String text(TraceContext context) {
    boolean sampled = Boolean.TRUE.equals(context.sampled());
    return "00-%s-%s-%s".formatted(context.traceId(), context.spanId(), sampled ? "01" : "00");
  }
}
