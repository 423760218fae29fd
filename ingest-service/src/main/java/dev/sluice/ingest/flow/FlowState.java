package dev.sluice.ingest.flow;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What decides when the ready items of a workspace start.
 *
 * @param now the database's clock, which is the one that counts
 * @param oldestClaim since when a start has been waiting for Temporal
 */
public record FlowState(
    Instant now,
    String mode,
    @Nullable Pause pause,
    int slots,
    long held,
    @Nullable Instant oldestHeldSince,
    @Nullable Instant oldestClaim,
    @Nullable Rate rate,
    @Nullable GlobalCap globalCap) {
  /** A start takes milliseconds; one that takes this long is held up. */
  private static final Duration SLOW_START = Duration.ofSeconds(5);

  /**
   * The token bucket of a workspace.
   *
   * @param tokens what is left of it now
   */
  public record Rate(double startsPerSecond, double tokens) {}

  /** What all workspaces together may have open. */
  public record GlobalCap(int limit, long held) {}

  /**
   * Of {@code workspace w}. A claim's own time is renewed while Temporal is asked again and again,
   * so how long it has been waiting is said by the execution's row. A workspace without a bucket
   * has not used any of it yet.
   */
  public static final String COLUMNS =
      """
      now() as now, m.mode, coalesce(w.concurrency_limit, p.concurrency_limit) as slots,
      w.paused_at is not null and (w.paused_until is null or w.paused_until > now()) as paused,
      w.paused_until, w.pause_reason, held.held, held.oldest as oldest_held,
      (select min(least(c.claimed_at, e.started_at))
         from workflow_execution_queue c left join workflow_execution e on e.id = c.id
        where c.workspace_id = w.id and c.state = 'CLAIMED') as oldest_claim,
      w.starts_per_second,
      coalesce((select b.tokens + greatest(0, extract(epoch from now() - b.filled_at)) * w.starts_per_second
                  from start_bucket b where b.workspace_id = w.id), 1) as tokens,
      s.concurrency_limit as global_limit,
      case when s.concurrency_limit is not null
           then (select count(*) from workflow_execution e where e.status = 'RUNNING') end as global_held
      """;

  /** What {@link #COLUMNS} needs; may be followed by more joins. */
  public static final String TABLES =
      """
      workspace w join plan p on p.id = w.plan_id cross join maintenance m cross join system_limit s
      cross join lateral (select count(*) as held, min(e.started_at) as oldest from workflow_execution e
                           where e.workspace_id = w.id and e.status = 'RUNNING') held
      """;

  public static FlowState read(ResultSet rs) throws SQLException {
    double startsPerSecond = rs.getDouble("starts_per_second");
    Rate rate = rs.wasNull() ? null : new Rate(startsPerSecond, rs.getDouble("tokens"));
    int limit = rs.getInt("global_limit");
    GlobalCap cap = rs.wasNull() ? null : new GlobalCap(limit, rs.getLong("global_held"));
    return new FlowState(
        rs.getObject("now", OffsetDateTime.class).toInstant(),
        rs.getString("mode"),
        rs.getBoolean("paused")
            ? new Pause(instant(rs, "paused_until"), rs.getString("pause_reason"))
            : null,
        rs.getInt("slots"),
        rs.getLong("held"),
        instant(rs, "oldest_held"),
        instant(rs, "oldest_claim"),
        rate,
        cap);
  }

  /** Nothing of the workspace starts at all. */
  public Optional<WaitingFor> standstill() {
    if (!mode.equals("normal")) {
      return Optional.of(
          new WaitingFor(WaitingFor.MAINTENANCE, "nothing is started in mode " + mode));
    }
    return Optional.ofNullable(pause)
        .map(p -> new WaitingFor(WaitingFor.PAUSED, "the workspace is paused" + p.text()));
  }

  /** Why something that nothing else holds back has not started. */
  public WaitingFor whyReadyOnesWait() {
    if (held >= slots) {
      return capacity();
    }
    if (oldestClaim != null && Duration.between(oldestClaim, now).compareTo(SLOW_START) > 0) {
      return temporal(oldestClaim);
    }
    if (globalCap != null && globalCap.held() >= globalCap.limit()) {
      return new WaitingFor(
          WaitingFor.GLOBAL_LIMIT,
          "%d of %d executions open in all workspaces together"
              .formatted(globalCap.held(), globalCap.limit()));
    }
    if (rate != null && rate.tokens() < 1) {
      return new WaitingFor(
          WaitingFor.START_RATE,
          String.format(
              Locale.ROOT,
              "at most %s starts per second, the next in %.1f s",
              number(rate.startsPerSecond()),
              (1 - rate.tokens()) / rate.startsPerSecond()));
    }
    return new WaitingFor(
        WaitingFor.CAPACITY,
        "%d of %d slots held, so nothing is in its way: a dispatcher that runs, with its engine on, takes it in a moment"
            .formatted(held, slots));
  }

  public static WaitingFor temporal(Instant since) {
    return new WaitingFor(WaitingFor.TEMPORAL, "starts wait for Temporal since " + since);
  }

  /** Without a fraction where there is none. */
  public static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  private WaitingFor capacity() {
    String since = oldestHeldSince == null ? "" : ", the oldest since " + oldestHeldSince;
    return new WaitingFor(
        WaitingFor.CAPACITY, "%d of %d slots held%s".formatted(held, slots, since));
  }

  private static @Nullable Instant instant(ResultSet rs, String column) throws SQLException {
    OffsetDateTime time = rs.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
