package dev.sluice.ingest.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.sluice.ingest.lag.EndToEnd;
import dev.sluice.ingest.lag.Lag;
import dev.sluice.ingest.lag.LagReport;
import dev.sluice.ingest.lag.PartitionLag;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@Tag(name = "Operation")
@RestController
class LagController {
  private final Lag lag;
  private final EndToEnd endToEnd;

  LagController(Lag lag, EndToEnd endToEnd) {
    this.lag = lag;
    this.endToEnd = endToEnd;
  }

  /**
   * @param endToEndSeconds age of the oldest request that is not started although it could be;
   *     absent when it is not known
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record LagAnswer(List<PartitionLag> groups, long totalLag, @Nullable Double endToEndSeconds) {}

  @Operation(operationId = "getLag", summary = "How far the dispatchers are behind")
  @GetMapping(path = "/v1/lag", produces = MediaType.APPLICATION_JSON_VALUE)
  LagAnswer lag() {
    LagReport report = lag.recent();
    var seconds = endToEnd.seconds(report);
    return new LagAnswer(
        report.groups(), report.totalLag(), seconds.isPresent() ? seconds.getAsDouble() : null);
  }
}
