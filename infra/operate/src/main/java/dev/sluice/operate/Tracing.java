package dev.sluice.operate;

import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.micrometer.tracing.propagation.Propagator;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Traces go to an OpenTelemetry collector when {@code OTEL_EXPORTER_OTLP_ENDPOINT} names one.
 * Otherwise nothing of this exists, so it costs nothing.
 */
@AutoConfiguration(before = MicrometerTracingAutoConfiguration.class)
@Conditional(Tracing.IsOn.class)
class Tracing {
  private static final Logger log = LoggerFactory.getLogger(Tracing.class);

  static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
  private static final String HEADERS = "OTEL_EXPORTER_OTLP_HEADERS";
  private static final String RATIO = "SLUICE_TRACE_RATIO";
  private static final Duration PAUSE = Duration.ofSeconds(1);

  static final class IsOn implements Condition {
    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return !context.getEnvironment().getProperty(ENDPOINT, "").isBlank();
    }
  }

  @Bean(destroyMethod = "close")
  SdkTracerProvider tracerProvider(Environment environment) {
    String endpoint = endpoint(environment.getRequiredProperty(ENDPOINT));
    var exporter = OtlpHttpSpanExporter.builder().setEndpoint(endpoint);
    for (String header : environment.getProperty(HEADERS, "").split(",")) {
      String[] parts = header.split("=", 2);
      if (parts.length == 2) {
        exporter.addHeader(parts[0].strip(), parts[1].strip());
      }
    }
    log.atInfo().addKeyValue("endpoint", endpoint).log("traces are sent");
    String name =
        environment.getProperty(
            "OTEL_SERVICE_NAME", environment.getProperty("spring.application.name", "sluice"));
    return SdkTracerProvider.builder()
        .setResource(
            Resource.getDefault()
                .merge(
                    Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), name))))
        // Whoever began a trace decides whether it is kept; this is for those that begin here.
        .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(ratio(environment))))
        .addSpanProcessor(
            BatchSpanProcessor.builder(exporter.build()).setScheduleDelay(PAUSE).build())
        .build();
  }

  @Bean
  Tracer tracer(SdkTracerProvider provider) {
    return new OtelTracer(provider.get("dev.sluice"), new OtelCurrentTraceContext(), event -> {});
  }

  @Bean
  Propagator propagator(SdkTracerProvider provider) {
    return new OtelPropagator(
        ContextPropagators.create(W3CTraceContextPropagator.getInstance()),
        provider.get("dev.sluice"));
  }

  private static String endpoint(String given) {
    Check.that(
        given.matches("https?://[^\\s/]+(/\\S*)?"),
        ENDPOINT,
        given,
        "the address of a collector that takes OTLP over HTTP",
        "http://127.0.0.1:4318");
    return given.replaceAll("/+$", "") + "/v1/traces";
  }

  private static double ratio(Environment environment) {
    String given = environment.getProperty(RATIO, "1");
    double ratio;
    try {
      ratio = Double.parseDouble(given);
    } catch (NumberFormatException e) {
      ratio = Double.NaN;
    }
    Check.that(ratio >= 0 && ratio <= 1, RATIO, given, "from 0 to 1", "0.1");
    return ratio;
  }
}
