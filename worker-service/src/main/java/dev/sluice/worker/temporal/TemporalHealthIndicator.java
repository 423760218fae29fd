package dev.sluice.worker.temporal;

import io.temporal.api.workflowservice.v1.GetSystemInfoRequest;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Whether Temporal answers and this worker takes work from it. */
@Component
class TemporalHealthIndicator implements HealthIndicator {
  private static final int PATIENCE_SECONDS = 2;

  private final WorkflowServiceStubs stubs;
  private final TemporalSettings settings;
  private final WorkerLifecycle worker;

  TemporalHealthIndicator(
      WorkflowServiceStubs stubs, TemporalSettings settings, WorkerLifecycle worker) {
    this.stubs = stubs;
    this.settings = settings;
    this.worker = worker;
  }

  @Override
  public Health health() {
    Health.Builder health = Health.unknown().withDetail("address", settings.address());
    try {
      stubs
          .blockingStub()
          .withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS)
          .getSystemInfo(GetSystemInfoRequest.getDefaultInstance());
      return worker.isWorking()
          ? health.up().build()
          : health.down().withDetail("reason", "the worker has not started").build();
    } catch (RuntimeException e) {
      return health.down().withDetail("reason", "Temporal away").build();
    }
  }
}
