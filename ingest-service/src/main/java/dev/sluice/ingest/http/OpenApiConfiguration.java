package dev.sluice.ingest.http;

import dev.sluice.contracts.ExecutionRequest;
import dev.sluice.contracts.FieldProblem;
import dev.sluice.contracts.graph.GraphProgress;
import dev.sluice.ingest.audit.AuditEntry;
import dev.sluice.ingest.catalogue.Backoff;
import dev.sluice.ingest.catalogue.Definition;
import dev.sluice.ingest.catalogue.Maintenance;
import dev.sluice.ingest.catalogue.Plan;
import dev.sluice.ingest.catalogue.SystemLimit;
import dev.sluice.ingest.catalogue.Workspace;
import dev.sluice.ingest.flow.WaitingFor;
import dev.sluice.ingest.lag.LagReport;
import dev.sluice.ingest.lag.PartitionLag;
import dev.sluice.ingest.status.Execution;
import dev.sluice.ingest.status.ExecutionPage;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;

/** What the code itself does not tell springdoc. */
@Configuration(proxyBeanMethods = false)
class OpenApiConfiguration {
  private static final String PROBLEM = "#/components/schemas/Problem";
  private static final int[] ANY_OPERATION = {400, 406, 500, 503};

  /** Records that answers are made of: what is not nullable in them is always there. */
  private static final List<Class<?>> ANSWERS =
      List.of(
          Problem.class,
          FieldProblem.class,
          Plan.class,
          PlanController.Plans.class,
          Workspace.class,
          Definition.class,
          Backoff.class,
          Maintenance.class,
          SystemLimit.class,
          AuditEntry.class,
          Execution.class,
          Execution.EstimatedStart.class,
          ExecutionRequest.KeyLimit.class,
          WaitingFor.class,
          Execution.Failure.class,
          Execution.Workflow.class,
          GraphProgress.class,
          ExecutionPage.class,
          PartitionLag.class,
          LagReport.class,
          Answers.Accepted.class,
          Answers.AcceptedBatch.class,
          Answers.AcceptedId.class,
          Answers.Matched.class);

  @Bean
  OpenAPI openApi() {
    return new OpenAPI()
        .info(
            new Info()
                .title("Sluice")
                .version("v1")
                .description(
                    "Starts Temporal workflows for many tenants, exactly once each, never more at a"
                        + " time than the tenant's plan allows."));
  }

  @Bean
  OperationCustomizer problems() {
    return (operation, method) -> {
      Problems more = method.getMethodAnnotation(Problems.class);
      IntStream.concat(
              Arrays.stream(ANY_OPERATION),
              more == null ? IntStream.empty() : Arrays.stream(more.value()))
          .forEach(status -> addProblem(operation, status));
      ApiResponse accepted = operation.getResponses().get("202");
      if (method.getMethod().getGenericReturnType().getTypeName().contains("Matched")) {
        // A dry run is done when it is answered.
        operation.getResponses().addApiResponse("200", accepted);
      } else if (accepted != null && !"enqueueBatch".equals(operation.getOperationId())) {
        accepted.addHeaderObject(
            "Location", new Header().description("where to look").schema(text()));
      }
      return operation;
    };
  }

  /** Every change is told to the audit under somebody's name. */
  @Bean
  OperationCustomizer actor() {
    return (operation, method) -> {
      if (Arrays.stream(method.getMethodParameters())
          .anyMatch(parameter -> parameter.hasParameterAnnotation(By.class))) {
        operation.addParametersItem(
            new Parameter()
                .in("header")
                .name(OperatorResolver.HEADER)
                .description("who asks, for the audit, where the caller is not authenticated")
                .schema(text().pattern(OperatorResolver.PATTERN)));
      }
      return operation;
    };
  }

  @Bean
  OpenApiCustomizer schemas() {
    return api -> {
      ModelConverters.getInstance(true)
          .readAll(new AnnotatedType(Problem.class))
          .forEach(api.getComponents()::addSchemas);
      ANSWERS.forEach(type -> requireNonNull(api, type));
      api.getComponents().getSchemas().entrySet().stream()
          .filter(schema -> schema.getKey().startsWith("Page"))
          .forEach(schema -> schema.getValue().setRequired(List.of("items")));
      api.getPaths()
          .values()
          .forEach(
              path ->
                  path.readOperations().stream()
                      .flatMap(o -> Optional.ofNullable(o.getParameters()).stream())
                      .flatMap(List::stream)
                      .filter(parameter -> "path".equals(parameter.getIn()))
                      .forEach(OpenApiConfiguration::describeId));
    };
  }

  private static void addProblem(Operation operation, int status) {
    operation
        .getResponses()
        .addApiResponse(
            Integer.toString(status),
            new ApiResponse()
                .description(HttpStatus.valueOf(status).getReasonPhrase())
                .content(
                    new Content()
                        .addMediaType(
                            "application/problem+json",
                            new MediaType().schema(new Schema<>().$ref(PROBLEM)))));
  }

  private static void requireNonNull(OpenAPI api, Class<?> type) {
    Schema<?> schema = api.getComponents().getSchemas().get(type.getSimpleName());
    if (schema != null) {
      schema.setRequired(
          Arrays.stream(type.getRecordComponents())
              .filter(OpenApiConfiguration::isAlwaysThere)
              .map(RecordComponent::getName)
              .toList());
    }
  }

  private static boolean isAlwaysThere(RecordComponent component) {
    return !component.getAnnotatedType().isAnnotationPresent(Nullable.class);
  }

  private static void describeId(Parameter parameter) {
    Schema<Object> schema = text();
    if (parameter.getName().equals("id")) {
      schema.format("uuid");
    } else {
      schema.pattern(Ids.ID_PATTERN);
    }
    parameter.schema(schema);
  }

  private static Schema<Object> text() {
    Schema<Object> schema = new Schema<>();
    schema.addType("string");
    return schema;
  }
}
