package dev.sluice.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final List<Row> ROWS =
      List.of(
          Row.of("dispatch.vs_raw_start", "ratio", List.of(0.5, 0.95, 0.93)),
          Row.of("latency.p50_vs_raw_start", "ratio", List.of(11.0, 12.0, 13.0)));

  @Test
  void theJsonHasTheShapeThatProgramsRelyOn() {
    var json = Json.MAPPER.readTree(JsonReport.of(Map.of("cores", 2), ROWS));
    assertThat(json.propertyNames()).containsExactly("machine", "rows");
    assertThat(json.path("machine").path("cores").asInt()).isEqualTo(2);
    var row = json.path("rows").path(0);
    assertThat(row.propertyNames()).containsExactly("name", "value", "unit", "samples");
    assertThat(row.path("name").asString()).isEqualTo("dispatch.vs_raw_start");
    assertThat(row.path("value").asDouble()).isEqualTo(0.93);
    assertThat(row.path("samples").size()).isEqualTo(3);
  }

  @Test
  void theTableSaysWhatWasReachedAndHowFarTheRunsWereApart() {
    assertThat(Table.of(ROWS).lines().toList())
        .hasSize(3)
        .anySatisfy(line -> assertThat(line).contains("0.50 … 0.95 (3)", "≥ 0.90", "met"))
        .anySatisfy(line -> assertThat(line).contains("11 … 13 (3)", "≤ 5", "MISSED"));
  }

  @Test
  void aGuardFailsOnlyWhereARowIsFarOffInEveryRun() {
    var rows = new Rows();
    rows.add("dispatch.vs_raw_start", "ratio", List.of(0.1, 0.5, 0.2));
    rows.add("queue.vs_jobrunr", "ratio", List.of(0.9, 0.5, 1.1));
    rows.add("latency.p50_vs_raw_start", "ratio", List.of(99.0, 49.0, 99.0));
    rows.add("dispatch.rate_per_second", "items/s", List.of(1.0));
    assertThat(rows.farOff()).isEmpty();
    rows.add("latency.p99_vs_raw_start", "ratio", List.of(41.0, 50.0));
    assertThat(rows.farOff()).extracting(Row::name).containsExactly("latency.p99_vs_raw_start");
  }
}
