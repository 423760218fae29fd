package dev.sluice.bench.stack;

import dev.sluice.dispatcher.DispatcherApplication;
import dev.sluice.dispatcher.temporal.TemporalSettings;
import dev.sluice.servers.LocalKafka;
import io.micrometer.core.instrument.MeterRegistry;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * The real dispatcher-service, in this JVM. The one difference from the one users run is that its
 * connection to Temporal has a {@link StartProbe} on it.
 */
public final class Dispatcher implements AutoCloseable {
  private final WorkflowServiceStubs temporal;
  private final StartProbe probe;
  private final ConfigurableApplicationContext context;

  public Dispatcher(
      LocalKafka kafka, Tables tables, String temporalAddress, StartProbe probe, String... more) {
    this.probe = probe;
    temporal = probed(temporalAddress, probe);
    var arguments = new ArrayList<String>();
    arguments.add("--server.port=0");
    arguments.add("--KAFKA_BOOTSTRAP_SERVERS=" + kafka.bootstrapServers());
    arguments.add("--DATABASE_URL=" + tables.url());
    arguments.add("--TEMPORAL_ADDRESS=" + temporalAddress);
    arguments.add("--TEMPORAL_NAMESPACE=default");
    arguments.add("--logging.config=classpath:bench-logback.xml");
    arguments.add("--spring.main.register-shutdown-hook=false");
    arguments.addAll(List.of(more));
    context =
        DispatcherApplication.builder()
            .initializers(
                (GenericApplicationContext c) ->
                    c.registerBean(
                        "probedTemporal",
                        WorkflowServiceStubs.class,
                        () -> temporal,
                        definition -> definition.setPrimary(true)))
            .run(arguments.toArray(String[]::new));
  }

  /** A connection to Temporal like the dispatcher's own. */
  public static WorkflowServiceStubs probed(String address, StartProbe probe) {
    return WorkflowServiceStubs.newServiceStubs(
        new TemporalSettings(address, "default", false)
            .connection()
            .setGrpcClientInterceptors(List.of(probe))
            .build());
  }

  public StartProbe probe() {
    return probe;
  }

  /** One of the parts it is made of. */
  public <T> T part(Class<T> type) {
    return context.getBean(type);
  }

  /** How many starts are written back. */
  public long settled() {
    return (long)
        context.getBean(MeterRegistry.class).counter("sluice.queue.items.dispatched").count();
  }

  public boolean awaitSettled(long total, long deadlineNanos) {
    while (settled() < total) {
      if (System.nanoTime() - deadlineNanos > 0) {
        return false;
      }
      LockSupport.parkNanos(1_000_000);
    }
    return true;
  }

  @Override
  public void close() {
    context.close();
    temporal.shutdownNow();
  }
}
