package dev.sluice.dispatcher;

import static org.junit.jupiter.api.Assumptions.abort;

import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** The same path on the official images, where Docker is at hand and has or gets them. */
@Testcontainers(disabledWithoutDocker = true)
class ContainersTest {
  private static final KafkaContainer KAFKA = new KafkaContainer("apache/kafka:4.2.1");

  private static final PostgreSQLContainer POSTGRES =
      new PostgreSQLContainer("postgres:17")
          .withDatabaseName("sluice")
          .withUsername("sluice")
          .withPassword("sluice")
          .withCommand("postgres", "-c", "wal_level=logical");

  @BeforeAll
  static void start() {
    try {
      Startables.deepStart(KAFKA, POSTGRES).join();
    } catch (RuntimeException e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof ContainerFetchException) {
          abort("Docker is here, but cannot get the images: " + cause.getMessage());
        }
      }
      throw e;
    }
  }

  @AfterAll
  static void stop() {
    KAFKA.stop();
    POSTGRES.stop();
  }

  @Test
  @Tag("Q1")
  void aRequestIsStartedAndCloses() {
    Sluice sluice = Sluice.on(KAFKA.getBootstrapServers(), POSTGRES.getJdbcUrl());
    String workspace = sluice.workspace("FREE");
    UUID id = sluice.enqueue(workspace, "{}");
    sluice.awaitStatus(id, "COMPLETED");
    sluice.stop();
  }
}
