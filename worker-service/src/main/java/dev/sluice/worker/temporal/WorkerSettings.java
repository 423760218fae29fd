package dev.sluice.worker.temporal;

import dev.sluice.operate.Check;
import dev.sluice.worker.node.Heartbeats;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How this worker works.
 *
 * @param concurrentNodes activities at once in this process
 * @param stickyTimeout how long the next step of a workflow waits for the worker that has it in
 *     memory; zero lets any worker take it. The in-memory Temporal waits for ever, so only zero
 *     lets another worker go on there after one is gone
 * @param nodeTimeout of one try of a node that names no timeout of its own
 * @param heartbeatTimeout after which a node's worker that is silent counts as dead
 * @param shutdownGrace how long running nodes may go on when the process is asked to stop
 * @param connectRetry between two tries to reach Temporal at the start
 */
@ConfigurationProperties("sluice.worker")
public record WorkerSettings(
    @DefaultValue("200") int concurrentNodes,
    @DefaultValue("PT5S") Duration stickyTimeout,
    @DefaultValue("PT10M") Duration nodeTimeout,
    @DefaultValue("PT30S") Duration heartbeatTimeout,
    @DefaultValue("PT20S") Duration shutdownGrace,
    @DefaultValue("PT1S") Duration connectRetry) {
  public WorkerSettings {
    Check.atLeast("sluice.worker.concurrent-nodes", concurrentNodes, 1, "200");
    Check.atLeast("sluice.worker.sticky-timeout", stickyTimeout, Duration.ZERO, "5s");
    Check.positive("sluice.worker.node-timeout", nodeTimeout, "10m");
    Check.atLeast(
        "sluice.worker.heartbeat-timeout",
        heartbeatTimeout,
        Heartbeats.INTERVAL.multipliedBy(3),
        "30s");
    Check.atLeast("sluice.worker.shutdown-grace", shutdownGrace, Duration.ZERO, "20s");
    Check.positive("sluice.worker.connect-retry", connectRetry, "1s");
  }
}
