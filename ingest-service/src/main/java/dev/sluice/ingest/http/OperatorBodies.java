package dev.sluice.ingest.http;

import static dev.sluice.ingest.http.Bodies.ID;
import static dev.sluice.ingest.http.Bodies.PLAIN;

import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.AdditionalPropertiesValue;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;

/** The bodies of what operators do as the OpenAPI document shows them, like {@link Bodies}. */
final class OperatorBodies {
  private OperatorBodies() {}

  @Schema(name = "PauseBody", additionalProperties = AdditionalPropertiesValue.FALSE)
  record PauseBody(
      @Schema(
              types = {"string", "null"},
              format = "date-time")
          String until,
      @Schema(
              types = {"string", "null"},
              minLength = 1,
              maxLength = 500,
              pattern = PLAIN)
          String reason) {}

  @Schema(name = "ReasonBody", additionalProperties = AdditionalPropertiesValue.FALSE)
  record ReasonBody(
      @Schema(
              types = {"string", "null"},
              minLength = 1,
              maxLength = 500,
              pattern = PLAIN)
          String reason) {}

  @Schema(name = "MaintenanceBody", additionalProperties = AdditionalPropertiesValue.FALSE)
  record MaintenanceBody(
      @Schema(
              requiredMode = RequiredMode.REQUIRED,
              allowableValues = {"normal", "drain", "cancel"})
          String mode,
      @Schema(
              types = {"string", "null"},
              minLength = 1,
              maxLength = 500,
              pattern = PLAIN)
          String reason) {}

  @Schema(name = "CancelBody", additionalProperties = AdditionalPropertiesValue.FALSE)
  record CancelBody(
      @Schema(
              types = {"string", "null"},
              minLength = 1,
              maxLength = 500,
              pattern = PLAIN)
          String reason,
      @Schema(
              types = {"string", "null"},
              format = "duration",
              example = "PT30S",
              description = "what is still open so long after it was asked to stop is terminated")
          String terminateAfter) {}

  @Schema(name = "BulkCancelBody", additionalProperties = AdditionalPropertiesValue.FALSE)
  record BulkCancelBody(
      @Schema(
              allowableValues = {"PENDING", "CLAIMED", "DISPATCHED"},
              description = "absent: any of them")
          String status,
      @Schema(
              types = {"string", "null"},
              pattern = ID)
          String definitionId,
      @Schema(
              types = {"string", "null"},
              minLength = 1,
              maxLength = 200,
              pattern = PLAIN)
          String partitionKey,
      @Schema(
              types = {"string", "null"},
              format = "date-time")
          String acceptedBefore,
      @Schema(
              types = {"string", "null"},
              format = "date-time")
          String acceptedAfter,
      @Schema(
              types = {"string", "null"},
              pattern = Paging.NUMBER,
              description = "next of the answer before")
          String after,
      @Schema(
              types = {"boolean", "null"},
              description = "only counts")
          Boolean dryRun,
      @Schema(
              types = {"string", "null"},
              minLength = 1,
              maxLength = 500,
              pattern = PLAIN)
          String reason,
      @Schema(
              types = {"string", "null"},
              format = "duration",
              example = "PT30S",
              description = "what is still open so long after it was asked to stop is terminated")
          String terminateAfter) {}

  @Schema(name = "BulkRetryBody", additionalProperties = AdditionalPropertiesValue.FALSE)
  record BulkRetryBody(
      @Schema(
              allowableValues = {"FAILED", "DISPATCHED"},
              defaultValue = "FAILED")
          String status,
      @Schema(
              types = {"string", "null"},
              pattern = ID)
          String definitionId,
      @Schema(
              types = {"string", "null"},
              minLength = 1,
              maxLength = 200,
              pattern = PLAIN)
          String partitionKey,
      @Schema(
              types = {"string", "null"},
              format = "date-time")
          String acceptedBefore,
      @Schema(
              types = {"string", "null"},
              format = "date-time")
          String acceptedAfter,
      @Schema(
              types = {"string", "null"},
              pattern = Paging.NUMBER,
              description = "next of the answer before")
          String after,
      @Schema(
              types = {"boolean", "null"},
              description = "only counts")
          Boolean dryRun,
      @Schema(
              types = {"string", "null"},
              minLength = 1,
              maxLength = 500,
              pattern = PLAIN)
          String reason) {}
}
