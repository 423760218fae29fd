package dev.sluice.local;

import java.util.Locale;

/** What runs, in the order of dependence: a part is stopped before all that stand above it. */
enum Part {
  POSTGRES(15432),
  KAFKA(19092),
  TEMPORAL(17233),
  WORKER(8083),
  RECOVERY(8082),
  DISPATCHER(8081),
  INGEST(8080);

  private final int defaultPort;

  Part(int defaultPort) {
    this.defaultPort = defaultPort;
  }

  int defaultPort() {
    return defaultPort;
  }

  boolean isService() {
    return compareTo(TEMPORAL) > 0;
  }

  /** As in {@code ingest}. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As in {@code --port-ingest}. */
  String portOption() {
    return "--port-" + label();
  }

  /** As in {@code SLUICE_INGEST_PORT}. */
  String portSetting() {
    return "SLUICE_" + name() + "_PORT";
  }
}
