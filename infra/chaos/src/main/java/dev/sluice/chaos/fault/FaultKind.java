package dev.sluice.chaos.fault;

import java.util.List;

/** What is done to the processes. */
public enum FaultKind {
  KILL_DISPATCHER("kill -9 of a dispatcher"),
  FREEZE_DISPATCHER("SIGSTOP of a dispatcher past its session timeout, then SIGCONT"),
  KILL_BOTH_DISPATCHERS("kill -9 of both dispatchers"),
  KILL_INGEST("kill -9 of ingest"),
  KILL_RECOVERY("kill -9 of recovery"),
  ROLLING_RESTART("SIGTERM and restart of every service in turn"),
  TERMINATE_BACKENDS("pg_terminate_backend of all connections, three times"),
  RESTART_POSTGRES("PostgreSQL stopped and started"),
  CRASH_POSTGRES("PostgreSQL stopped without a checkpoint, and started"),
  RESTART_KAFKA("Kafka stopped and started"),
  KAFKA_AWAY("kill -9 of Kafka, away for long"),
  STOP_TEMPORAL("Temporal stopped for a while"),
  FREEZE_TEMPORAL("SIGSTOP of Temporal for a while, then SIGCONT"),
  KILL_DISPATCHER_WITHOUT_TEMPORAL("kill -9 of a dispatcher while Temporal is stopped");

  /** One of each that the short run must show. */
  public static final List<FaultKind> SHORT =
      List.of(KILL_DISPATCHER, FREEZE_DISPATCHER, TERMINATE_BACKENDS, RESTART_KAFKA, STOP_TEMPORAL);

  private final String what;

  FaultKind(String what) {
    this.what = what;
  }

  public String what() {
    return what;
  }

  /** A server that forgets everything when it stops cannot show anything by that. */
  FaultKind withoutRealTemporal() {
    return switch (this) {
      case STOP_TEMPORAL -> FREEZE_TEMPORAL;
      case KILL_DISPATCHER_WITHOUT_TEMPORAL -> KILL_DISPATCHER;
      default -> this;
    };
  }
}
