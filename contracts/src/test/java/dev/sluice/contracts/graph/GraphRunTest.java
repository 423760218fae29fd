package dev.sluice.contracts.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.Json;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class GraphRunTest {
  private static final String JSON =
      """
      {"executionId":"0199d6a2-0000-7000-8000-000000000001","workspaceId":"acme","definitionId":"etl","version":2,\
      "nodeIds":["a"],"graph":{"nodes":[{"id":"a","type":"set","config":{"values":{}}}],"edges":[]},\
      "input":{"price":1.10}}\
      """;

  @Test
  void theArgumentReadsBackAsItWasWritten() {
    GraphRun run = Json.MAPPER.readValue(JSON, GraphRun.class);
    assertThat(run.executionId())
        .isEqualTo(UUID.fromString("0199d6a2-0000-7000-8000-000000000001"));
    assertThat(run.graph().nodeIds()).isEqualTo(run.nodeIds());
    assertThat(Json.MAPPER.writeValueAsString(run)).isEqualTo(JSON);
  }

  @Test
  void aNewerDispatcherMaySayMore() {
    String more = JSON.replace("\"version\":2", "\"version\":2,\"region\":\"eu\"");
    assertThat(Json.MAPPER.readValue(more, GraphRun.class).version()).isEqualTo(2);
  }

  @Test
  void progressIsRoundedDownSoThatOnlyADoneGraphIsAtOneHundred() {
    assertThat(GraphProgress.of(List.of("b"), 2, 3).percent()).isEqualTo(66);
    assertThat(GraphProgress.of(List.of(), 3, 3).percent()).isEqualTo(100);
  }
}
