package dev.sluice.ingest.http;

import static dev.sluice.ingest.http.Bodies.ID;
import static dev.sluice.ingest.http.Bodies.PLAIN;

import dev.sluice.contracts.graph.GraphParser;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.AdditionalPropertiesValue;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import java.util.List;

/** The body of a definition as the OpenAPI document shows it, like {@link Bodies}. */
final class DefinitionBodies {
  private DefinitionBodies() {}

  @Schema(
      name = "DefinitionBody",
      oneOf = {TypeDefinitionBody.class, GraphDefinitionBody.class})
  record DefinitionBody() {}

  @Schema(name = "TypeDefinitionBody", additionalProperties = AdditionalPropertiesValue.FALSE)
  record TypeDefinitionBody(
      @Schema(
              requiredMode = RequiredMode.REQUIRED,
              minLength = 1,
              maxLength = 200,
              pattern = PLAIN,
              example = "Report")
          String workflowType,
      @Schema(
              requiredMode = RequiredMode.REQUIRED,
              minLength = 1,
              maxLength = 200,
              pattern = PLAIN,
              example = "reports")
          String taskQueue,
      @Schema(
              types = {"integer", "null"},
              minimum = "1",
              maximum = "100",
              defaultValue = "3")
          Integer maxAttempts,
      @Schema(
              types = {"integer", "null"},
              minimum = "0",
              maximum = "1000000")
          Integer limit,
      @Schema(
              allowableValues = {"queue", "reject", "cancel-running", "replace-waiting"},
              defaultValue = "queue",
              description = "what a request does that meets another with its partition key")
          String collision,
      BackoffBody backoff,
      @Schema(
              types = {"string", "null"},
              minLength = 1,
              maxLength = 500,
              pattern = PLAIN)
          String reason) {}

  @Schema(name = "GraphDefinitionBody", additionalProperties = AdditionalPropertiesValue.FALSE)
  record GraphDefinitionBody(
      @Schema(requiredMode = RequiredMode.REQUIRED, description = "run by worker-service")
          GraphBody graph,
      @Schema(
              types = {"integer", "null"},
              minimum = "1",
              maximum = "100",
              defaultValue = "3")
          Integer maxAttempts,
      @Schema(
              types = {"integer", "null"},
              minimum = "0",
              maximum = "1000000")
          Integer limit,
      @Schema(
              allowableValues = {"queue", "reject", "cancel-running", "replace-waiting"},
              defaultValue = "queue",
              description = "what a request does that meets another with its partition key")
          String collision,
      BackoffBody backoff,
      @Schema(
              types = {"string", "null"},
              minLength = 1,
              maxLength = 500,
              pattern = PLAIN)
          String reason) {}

  @Schema(name = "BackoffBody", additionalProperties = AdditionalPropertiesValue.FALSE)
  record BackoffBody(
      @Schema(
              requiredMode = RequiredMode.REQUIRED,
              type = "string",
              format = "duration",
              example = "PT1S")
          String first,
      @Schema(
              requiredMode = RequiredMode.REQUIRED,
              type = "string",
              format = "duration",
              example = "PT1M")
          String longest) {}

  @Schema(name = "Graph", additionalProperties = AdditionalPropertiesValue.FALSE)
  record GraphBody(
      @ArraySchema(
              minItems = 1,
              maxItems = GraphParser.MOST_NODES,
              arraySchema = @Schema(requiredMode = RequiredMode.REQUIRED))
          List<NodeBody> nodes,
      List<EdgeBody> edges) {}

  @Schema(name = "GraphNode", additionalProperties = AdditionalPropertiesValue.FALSE)
  record NodeBody(
      @Schema(requiredMode = RequiredMode.REQUIRED, pattern = ID) String id,
      @Schema(requiredMode = RequiredMode.REQUIRED, pattern = ID, example = "sleep") String type,
      @Schema(
              types = {"object", "null"},
              description = "what the type asks for")
          Object config,
      RetryBody retry,
      @Schema(type = "string", format = "duration", description = "of one try") String timeout) {}

  @Schema(name = "GraphRetry", additionalProperties = AdditionalPropertiesValue.FALSE)
  record RetryBody(
      @Schema(requiredMode = RequiredMode.REQUIRED, minimum = "1", maximum = "100") int maxAttempts,
      @Schema(type = "string", format = "duration") String backoff) {}

  @Schema(name = "GraphEdge", additionalProperties = AdditionalPropertiesValue.FALSE)
  record EdgeBody(
      @Schema(requiredMode = RequiredMode.REQUIRED, pattern = ID) String from,
      @Schema(requiredMode = RequiredMode.REQUIRED, pattern = ID) String to) {}
}
