package dev.sluice.ingest.flow;

import io.swagger.v3.oas.annotations.media.Schema;

/** Why something did not start yet: a kind for programs, a sentence for people. */
public record WaitingFor(
    @Schema(
            allowableValues = {
              CAPACITY,
              DEFINITION_LIMIT,
              PARTITION,
              LIMIT,
              START_RATE,
              GLOBAL_LIMIT,
              NOT_BEFORE,
              BACKOFF,
              PAUSED,
              MAINTENANCE,
              TEMPORAL
            })
        String kind,
    String detail) {
  public static final String CAPACITY = "capacity";
  public static final String DEFINITION_LIMIT = "definition-limit";
  public static final String PARTITION = "partition";
  public static final String LIMIT = "limit";
  public static final String START_RATE = "start-rate";
  public static final String GLOBAL_LIMIT = "global-limit";
  public static final String NOT_BEFORE = "not-before";
  public static final String BACKOFF = "backoff";
  public static final String PAUSED = "paused";
  public static final String MAINTENANCE = "maintenance";
  public static final String TEMPORAL = "temporal";
}
