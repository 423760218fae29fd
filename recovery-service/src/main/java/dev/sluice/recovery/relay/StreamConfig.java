package dev.sluice.recovery.relay;

import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import org.postgresql.Driver;

/** The settings of the Debezium engine. */
final class StreamConfig {
  /** A host that vanished lets go of the slot in seconds, so that another may have it. */
  private static final String LETS_GO_SOON =
      "-c wal_sender_timeout=8s -c tcp_keepalives_idle=3 -c tcp_keepalives_interval=1"
          + " -c tcp_keepalives_count=3";

  private StreamConfig() {}

  /**
   * @param url a JDBC address; its own parameters (TLS and so on) go on to the driver
   */
  static Properties of(String url, String user, String password, RelaySettings settings) {
    var config = new Properties();
    database(config, url, user, password);
    config.put("name", "sluice-outbox");
    config.put("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    // Names the engine's metrics only; two engines in one JVM must not share it.
    config.put("topic.prefix", "sluice-" + UUID.randomUUID());
    config.put("plugin.name", "pgoutput");
    config.put("slot.name", settings.slot());
    config.put("slot.drop.on.stop", "false");
    config.put("slot.max.retries", "0");
    config.put("publication.name", settings.publication());
    config.put("publication.autocreate.mode", "disabled");
    config.put("table.include.list", ".*\\.outbox");
    config.put("message.prefix.include.list", "sluice\\.outbox,sluice\\.heartbeat");
    config.put("binary.handling.mode", "bytes");
    config.put("snapshot.mode", "no_data");
    // The slot itself is the offset: PostgreSQL keeps it, next to the log it points into.
    config.put("offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore");
    config.put("poll.interval.ms", Long.toString(settings.pollInterval().toMillis()));
    config.put("max.batch.size", "2048");
    config.put("max.queue.size", "8192");
    config.put("max.queue.size.in.bytes", Integer.toString(64 * 1024 * 1024));
    // Whatever ends the stream, the same path starts it again, after a look at the slot.
    config.put("errors.max.retries", "0");
    config.put("task.management.timeout.ms", "10000");
    config.put("status.update.interval.ms", "2000");
    config.put("record.processing.threads", "1");
    return config;
  }

  private static void database(Properties config, String url, String user, String password) {
    Properties parts = Driver.parseURL(url, new Properties());
    if (parts == null) {
      throw new IllegalArgumentException(
          "DATABASE_URL must look like jdbc:postgresql://127.0.0.1:15432/sluice");
    }
    var named = Map.of("PGHOST", "hostname", "PGPORT", "port", "PGDBNAME", "dbname");
    for (String part : parts.stringPropertyNames()) {
      String name = named.get(part);
      config.put(name == null ? "driver." + part : "database." + name, parts.getProperty(part));
    }
    config.put("database.user", user);
    config.put("database.password", password);
    config.merge("driver.options", LETS_GO_SOON, (given, ours) -> given + " " + ours);
  }
}
