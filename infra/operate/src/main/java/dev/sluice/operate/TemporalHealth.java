package dev.sluice.operate;

import io.grpc.StatusRuntimeException;
import io.temporal.api.workflowservice.v1.GetSystemInfoRequest;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Part of readiness, so that it tells, and never a reason not to be ready: without Temporal
 * requests are still accepted and kept.
 */
public final class TemporalHealth implements HealthIndicator {
  private static final int PATIENCE_SECONDS = 2;

  private final WorkflowServiceStubs temporal;

  public TemporalHealth(WorkflowServiceStubs temporal) {
    this.temporal = temporal;
  }

  @Override
  public Health health() {
    try {
      String version =
          temporal
              .blockingStub()
              .withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS)
              .getSystemInfo(GetSystemInfoRequest.getDefaultInstance())
              .getServerVersion();
      return Health.up().withDetail("version", version).build();
    } catch (StatusRuntimeException e) {
      return Away.isTold("Temporal");
    }
  }
}
