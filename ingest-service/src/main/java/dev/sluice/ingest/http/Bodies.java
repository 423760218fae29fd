package dev.sluice.ingest.http;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.AdditionalPropertiesValue;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import java.util.List;

/**
 * The bodies of requests as the OpenAPI document shows them. They are read field by field from
 * strict JSON, so that a caller hears of every mistake at once, and never bound to these.
 */
final class Bodies {
  static final String ID = Ids.ID_PATTERN;
  static final String PLAIN = "^[^\\u0000-\\u001f\\u007f]+$";

  private Bodies() {}

  @Schema(name = "PlanBody", additionalProperties = AdditionalPropertiesValue.FALSE)
  record PlanBody(
      @Schema(requiredMode = RequiredMode.REQUIRED, minimum = "0", maximum = "1000000") int limit,
      @Schema(
              types = {"integer", "null"},
              minimum = "1",
              maximum = "1000",
              description = "share of the starts where they are scarce; absent: as it is, or 1")
          Integer weight,
      @Schema(
              types = {"string", "null"},
              minLength = 1,
              maxLength = 500,
              pattern = PLAIN)
          String reason) {}

  @Schema(name = "LimitsBody", additionalProperties = AdditionalPropertiesValue.FALSE)
  record LimitsBody(
      @Schema(
              types = {"integer", "null"},
              minimum = "0",
              maximum = "1000000",
              description = "open executions of all workspaces together; absent: no cap")
          Integer limit,
      @Schema(
              types = {"string", "null"},
              minLength = 1,
              maxLength = 500,
              pattern = PLAIN)
          String reason) {}

  @Schema(name = "WorkspaceBody", additionalProperties = AdditionalPropertiesValue.FALSE)
  record WorkspaceBody(
      @Schema(requiredMode = RequiredMode.REQUIRED, pattern = ID, example = "PRO") String plan,
      @Schema(
              types = {"integer", "null"},
              minimum = "0",
              maximum = "1000000",
              description = "overrides the plan's")
          Integer limit,
      @Schema(
              types = {"number", "null"},
              minimum = "0.0001",
              maximum = "10000")
          Double startsPerSecond,
      @Schema(
              types = {"integer", "null"},
              minimum = "1",
              maximum = "100000",
              description = "starts at once after a quiet time; only with startsPerSecond")
          Integer burst,
      @Schema(
              types = {"integer", "null"},
              minimum = "0",
              maximum = "100000000",
              description = "how many may wait")
          Integer backlogLimit,
      @Schema(
              types = {"string", "null"},
              minLength = 1,
              maxLength = 500,
              pattern = PLAIN)
          String reason) {}

  @Schema(name = "ExecutionBody", additionalProperties = AdditionalPropertiesValue.FALSE)
  record ExecutionBody(
      @Schema(requiredMode = RequiredMode.REQUIRED, pattern = ID, example = "report")
          String definitionId,
      @Schema(description = "any JSON, handed to the workflow as it is") Object input,
      @Schema(
              types = {"string", "null"},
              minLength = 1,
              maxLength = 200,
              pattern = PLAIN)
          String idempotencyKey,
      @Schema(
              types = {"integer", "null"},
              minimum = "0",
              maximum = "9",
              defaultValue = "5",
              description = "0 first … 9 last")
          Integer priority,
      @Schema(
              types = {"string", "null"},
              format = "date-time")
          String notBefore,
      @Schema(
              types = {"string", "null"},
              format = "date-time")
          String expiresAt,
      @Schema(
              types = {"string", "null"},
              format = "duration",
              example = "PT10M",
              description = "execution timeout, counted from the start")
          String deadline,
      @Schema(
              types = {"string", "null"},
              minLength = 1,
              maxLength = 200,
              pattern = PLAIN)
          String partitionKey,
      @ArraySchema(maxItems = 3) List<KeyLimitBody> limits,
      @Schema(
              types = {"string", "null"},
              pattern = ID)
          String parentId) {}

  @Schema(name = "KeyLimitBody", additionalProperties = AdditionalPropertiesValue.FALSE)
  record KeyLimitBody(
      @Schema(
              requiredMode = RequiredMode.REQUIRED,
              minLength = 1,
              maxLength = 100,
              pattern = PLAIN,
              example = "user:42")
          String key,
      @Schema(
              requiredMode = RequiredMode.REQUIRED,
              minimum = "1",
              maximum = "1000000",
              description = "how many of the workspace with this key may be open")
          int max) {}

  @Schema(name = "BatchBody", additionalProperties = AdditionalPropertiesValue.FALSE)
  record BatchBody(
      @ArraySchema(
              minItems = 1,
              maxItems = EnqueueChecks.LARGEST_BATCH,
              arraySchema = @Schema(requiredMode = RequiredMode.REQUIRED))
          List<ExecutionBody> executions) {}
}
