package dev.sluice.servers;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/** One Kafka node, broker and controller, inside this JVM. A later start goes on with its data. */
public final class LocalKafka implements AutoCloseable {
  private static final int NODE_ID = 1;
  private static final String CLUSTER_ID = "c2x1aWNlLWxvY2FsLTAwMQ";
  private static final String CONTROLLER = "CONTROLLER";

  private final KafkaRaftServer server;
  private final int port;
  private boolean closed;

  private LocalKafka(KafkaRaftServer server, int port) {
    this.server = server;
    this.port = port;
  }

  /** Starts and waits until clients can connect; port 0 is any free one. */
  public static LocalKafka start(Path dataDir, int port) {
    Path data = Folders.writable(dataDir);
    int clientPort = Ports.claim(port, "Kafka", "SLUICE_KAFKA_PORT");
    int controllerPort;
    do { // the port that was just given back may be the next one given out
      controllerPort = Ports.claim(0, "Kafka's controller", "SLUICE_KAFKA_PORT");
    } while (controllerPort == clientPort);
    try {
      format(data);
      var server =
          new KafkaRaftServer(
              new KafkaConfig(settings(data, clientPort, controllerPort)), Time.SYSTEM);
      server.startup();
      return new LocalKafka(server, clientPort);
    } catch (Exception e) {
      throw new CannotStart(
          "Kafka did not start on port %d with the data in %s; look at the log for the reason (%s)."
              .formatted(clientPort, data, e.getMessage()),
          e);
    }
  }

  public String bootstrapServers() {
    return Ports.LOOPBACK + ":" + port;
  }

  public int port() {
    return port;
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      server.shutdown();
      server.awaitShutdown();
    }
  }

  private static void format(Path data) throws Exception {
    new Formatter()
        .setPrintStream(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
        .setNodeId(NODE_ID)
        .setClusterId(CLUSTER_ID)
        .setReleaseVersion(MetadataVersion.latestProduction())
        .setControllerListenerName(CONTROLLER)
        .setMetadataLogDirectory(data.toString())
        .addDirectory(data.toString())
        .setIgnoreFormatted(true)
        .run();
  }

  private static Map<String, String> settings(Path data, int clientPort, int controllerPort) {
    String client = "PLAINTEXT://" + Ports.LOOPBACK + ":" + clientPort;
    String controller = Ports.LOOPBACK + ":" + controllerPort;
    return Map.ofEntries(
        Map.entry("process.roles", "broker,controller"),
        Map.entry("node.id", Integer.toString(NODE_ID)),
        Map.entry("log.dirs", data.toString()),
        Map.entry("listeners", client + "," + CONTROLLER + "://" + controller),
        Map.entry("advertised.listeners", client),
        Map.entry("controller.listener.names", CONTROLLER),
        Map.entry("controller.quorum.voters", NODE_ID + "@" + controller),
        Map.entry("listener.security.protocol.map", CONTROLLER + ":PLAINTEXT,PLAINTEXT:PLAINTEXT"),
        Map.entry("auto.create.topics.enable", "false"),
        // After an unclean stop the controller waits for the old session before the broker may come
        // back; the defaults make that 12 seconds.
        Map.entry("broker.session.timeout.ms", "2000"),
        Map.entry("broker.heartbeat.interval.ms", "500"),
        // 128 MB of heap by default, for a cleaner that has next to nothing to clean here.
        Map.entry("log.cleaner.dedupe.buffer.size", Integer.toString(4 * 1024 * 1024)),
        Map.entry("log.cleaner.threads", "1"),
        Map.entry("num.network.threads", "2"),
        Map.entry("num.io.threads", "4"),
        Map.entry("offsets.topic.replication.factor", "1"),
        Map.entry("offsets.topic.num.partitions", "4"),
        Map.entry("transaction.state.log.replication.factor", "1"),
        Map.entry("transaction.state.log.min.isr", "1"),
        Map.entry("transaction.state.log.num.partitions", "4"),
        Map.entry("group.coordinator.rebalance.protocols", "classic,consumer"),
        Map.entry("group.initial.rebalance.delay.ms", "0"),
        Map.entry("group.min.session.timeout.ms", "1000"),
        Map.entry("group.consumer.min.session.timeout.ms", "5000"),
        Map.entry("group.consumer.session.timeout.ms", "10000"),
        Map.entry("group.consumer.min.heartbeat.interval.ms", "500"),
        Map.entry("group.consumer.heartbeat.interval.ms", "1000"));
  }
}
