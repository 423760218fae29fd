package dev.sluice.ingest.lag;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The few workspaces that have most waiting, each with figures of its own, where asked for. */
@Component
class TopWorkspaces {
  private static final Logger log = LoggerFactory.getLogger(TopWorkspaces.class);

  private static final String TOP =
      """
      select q.workspace_id, q.pending, q.oldest_seconds, coalesce(w.concurrency_limit, p.concurrency_limit, 0) as slots,
             (select count(*) from workflow_execution e where e.workspace_id = q.workspace_id and e.status = 'RUNNING') as held
        from (select workspace_id, count(*) as pending,
                     extract(epoch from statement_timestamp() - min(accepted_at)) as oldest_seconds
                from workflow_execution_queue where state = 'PENDING'
               group by workspace_id order by count(*) desc, workspace_id limit :most) q
        left join workspace w on w.id = q.workspace_id
        left join plan p on p.id = w.plan_id
      """;

  private final JdbcClient jdbc;
  private final int most;
  private final MultiGauge pending;
  private final MultiGauge oldest;
  private final MultiGauge held;
  private final MultiGauge slots;

  TopWorkspaces(JdbcClient jdbc, MetricsSettings settings, MeterRegistry registry) {
    this.jdbc = jdbc;
    this.most = settings.topWorkspaces();
    this.pending = gauge(registry, "sluice.workspace.pending", "requests of it that wait");
    this.oldest =
        gauge(registry, "sluice.workspace.oldest.pending.seconds", "age of the oldest of these");
    this.held = gauge(registry, "sluice.workspace.slots.held", "its open workflows");
    this.slots = gauge(registry, "sluice.workspace.slots.limit", "how many it may have");
  }

  private record Standing(
      String workspaceId, long pending, double oldestSeconds, int slots, long held) {}

  void runOnce() {
    if (most == 0) {
      return;
    }
    try {
      List<Standing> top = jdbc.sql(TOP).param("most", most).query(Standing.class).list();
      show(pending, top, Standing::pending);
      show(oldest, top, Standing::oldestSeconds);
      show(held, top, Standing::held);
      show(slots, top, Standing::slots);
    } catch (DataAccessException e) {
      log.atDebug().setCause(e).log("workspaces keep their last figures while PostgreSQL is away");
    }
  }

  private static void show(MultiGauge gauge, List<Standing> top, ToDoubleFunction<Standing> value) {
    gauge.register(
        top.stream()
            .<Row<?>>map(
                one -> Row.of(Tags.of("workspace", one.workspaceId()), value.applyAsDouble(one)))
            .toList(),
        true);
  }

  private static MultiGauge gauge(MeterRegistry registry, String name, String description) {
    return MultiGauge.builder(name).description(description).register(registry);
  }
}
