package dev.sluice.ingest.publish;

/** Kafka did not acknowledge in time. Nothing may be promised then. */
public final class KafkaAway extends RuntimeException {
  private static final long serialVersionUID = 1;

  public KafkaAway(String message, Throwable cause) {
    super(message + ": " + cause.getMessage(), cause);
  }

  public KafkaAway(String message) {
    super(message);
  }
}
