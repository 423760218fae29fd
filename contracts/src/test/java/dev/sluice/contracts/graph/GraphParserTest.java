package dev.sluice.contracts.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.sluice.contracts.FieldProblem;
import dev.sluice.contracts.Json;
import dev.sluice.contracts.Parsed;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GraphParserTest {
  private static final String SET = "'type':'set','config':{'values':{}}";

  @Test
  void aGraphIsReadWithEverySetting() {
    Graph graph =
        valid(
            """
            {'nodes':[
              {'id':'a','type':'sleep','config':{'duration':'PT1S'},'retry':{'maxAttempts':3,'backoff':'PT2S'}},
              {'id':'b','type':'set','config':{'values':{'x':1.10}}},
              {'id':'c','type':'fail','config':{'message':'no','times':2},'retry':{'maxAttempts':100}},
              {'id':'d','type':'http.get','timeout':'PT1M'}],
             'edges':[{'from':'a','to':'b'},{'from':'a','to':'c'},{'from':'c','to':'d'}]}
            """);

    assertThat(graph.nodeIds()).containsExactly("a", "b", "c", "d");
    assertThat(graph.predecessors("d")).containsExactly("c");
    assertThat(graph.sinks()).containsExactly("b", "d");
    var nodes = graph.byId();
    assertThat(nodes.get("a").retryOrDefault())
        .isEqualTo(new Graph.Retry(3, Duration.ofSeconds(2)));
    assertThat(nodes.get("b").retryOrDefault().maxAttempts()).isEqualTo(1);
    assertThat(nodes.get("b").config().at("/values/x").toString()).isEqualTo("1.10");
    assertThat(nodes.get("c").retryOrDefault().backoffOrDefault()).isEqualTo(Duration.ofSeconds(1));
    assertThat(nodes.get("d").config().isEmpty()).isTrue();
    assertThat(nodes.get("d").timeout()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void aGraphIsWrittenInTheShapeItWasReadIn() {
    String json =
        quoted(
            "{'nodes':[{'id':'a','type':'sleep','config':{'duration':'PT1S'},"
                + "'retry':{'maxAttempts':3,'backoff':'PT2S'},'timeout':'PT1M'},"
                + "{'id':'b','type':'set','config':{'values':{'x':1.10}},'retry':{'maxAttempts':2}}],"
                + "'edges':[{'from':'a','to':'b'}]}");
    Graph graph = valid(json);

    assertThat(Json.MAPPER.writeValueAsString(graph)).isEqualTo(json);
    assertThat(Json.MAPPER.readValue(json, Graph.class)).isEqualTo(graph);
  }

  @Test
  void edgesMayBeLeftOut() {
    assertThat(valid("{'nodes':[{'id':'a',%s}]}".formatted(SET)).edges()).isEmpty();
  }

  @Test
  void theOrderIsTheDocumentsWhereTheEdgesLeaveItOpen() {
    Graph graph =
        valid(
            "{'nodes':[{'id':'z',%1$s},{'id':'y',%1$s},{'id':'x',%1$s},{'id':'w',%1$s}],"
                    .formatted(SET)
                + "'edges':[{'from':'w','to':'y'}]}");
    assertThat(graph.nodeIds()).containsExactly("z", "x", "w", "y");
  }

  @Test
  void fiveHundredNodesInAChainAreTaken() {
    String nodes = nodes(500);
    String edges =
        IntStream.range(1, 500)
            .mapToObj(i -> "{'from':'n%d','to':'n%d'}".formatted(i - 1, i))
            .collect(Collectors.joining(","));
    Graph graph = valid("{'nodes':[" + nodes + "],'edges':[" + edges + "]}");
    assertThat(graph.nodeIds()).hasSize(500).startsWith("n0", "n1").endsWith("n499");
  }

  @Test
  void moreThanFiveHundredNodesAreRefused() {
    assertThat(problems("{'nodes':[" + nodes(501) + "]}"))
        .containsExactly(entry("graph.nodes", "must have at most 500 nodes, has 501"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "1", "[]", "'x'"})
  void whatIsNoObjectIsRefused(String json) {
    assertThat(problems(json)).containsOnlyKeys("graph");
  }

  @Test
  void aMissingGraphIsRefused() {
    assertThat(GraphParser.parse(null, Set.of())).isInstanceOf(Parsed.Invalid.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{'nodes':[]}", "{'nodes':null}", "{'nodes':{}}", "{'nodes':'a'}"})
  void aGraphWithoutNodesIsRefused(String json) {
    assertThat(problems(json))
        .containsExactly(entry("graph.nodes", "must be an array of at least one node"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          5                                       | graph.nodes[0]        | object
          {%s}                                    | graph.nodes[0].id     | is required
          {'id':'',%s}                            | graph.nodes[0].id     | 1 to 64
          {'id':'a b',%s}                         | graph.nodes[0].id     | letters, digits
          {'id':7,%s}                             | graph.nodes[0].id     | string
          {'id':'a'}                              | graph.nodes[0].type   | is required
          {'id':'a','type':'Sleep'}               | graph.nodes[0].type   | known are fail, http.get, set, sleep
          {'id':'a','type':3}                     | graph.nodes[0].type   | string
          {'id':'a','colour':1,%s}                | graph.nodes[0].colour | unknown field
          {'id':'a','type':'http.get','config':1} | graph.nodes[0].config | object
          {'id':'a','retry':1,%s}                 | graph.nodes[0].retry  | object
          {'id':'a','retry':{},%s}                | graph.nodes[0].retry.maxAttempts | is required
          {'id':'a','retry':{'maxAttempts':0},%s} | graph.nodes[0].retry.maxAttempts | 1 to 100
          {'id':'a','retry':{'maxAttempts':101},%s} | graph.nodes[0].retry.maxAttempts | 1 to 100
          {'id':'a','retry':{'maxAttempts':1.5},%s} | graph.nodes[0].retry.maxAttempts | 1 to 100
          {'id':'a','retry':{'maxAttempts':2,'backoff':'1s'},%s} | graph.nodes[0].retry.backoff | PT10M
          {'id':'a','retry':{'maxAttempts':2,'x':1},%s} | graph.nodes[0].retry.x | unknown field
          {'id':'a','timeout':'PT0S',%s}          | graph.nodes[0].timeout | PT10M
          """)
  void aBadNodeIsRefusedWithItsField(String node, String field, String message) {
    var problems = problems("{'nodes':[" + node.replace("%s", SET) + "]}");
    assertThat(problems).containsOnlyKeys(field);
    assertThat(problems.get(field)).contains(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          sleep | {}                      | duration | is required
          sleep | {'duration':5}          | duration | string
          sleep | {'duration':'5s'}       | duration | PT10M
          sleep | {'duration':'-PT1S'}    | duration | at least a millisecond
          sleep | {'duration':'P30DT1S'}  | duration | at most P30D
          sleep | {'duration':'PT1S','x':1} | x      | unknown field
          set   | {}                      | values   | is required
          set   | {'values':[]}           | values   | object
          set   | {'values':{},'x':1}     | x        | unknown field
          fail  | {}                      | message  | is required
          fail  | {'message':''}          | message  | 1 to 1000
          fail  | {'message':'m','times':0} | times  | 1 to 100
          """)
  void aBadConfigOfABuiltInTypeIsRefused(String type, String config, String field, String message) {
    var problems =
        problems("{'nodes':[{'id':'a','type':'%s','config':%s}]}".formatted(type, config));
    assertThat(problems).containsOnlyKeys("graph.nodes[0].config." + field);
    assertThat(problems.values()).allSatisfy(m -> assertThat(m).contains(message));
  }

  @Test
  void thirtyDaysOfSleepAreTaken() {
    valid("{'nodes':[{'id':'a','type':'sleep','config':{'duration':'P30D'}}]}");
  }

  @Test
  void anIdUsedTwiceIsRefusedAtItsSecondUse() {
    assertThat(
            problems("{'nodes':[{'id':'a',%1$s},{'id':'b',%1$s},{'id':'a',%1$s}]}".formatted(SET)))
        .containsExactly(entry("graph.nodes[2].id", "is already the id of nodes[0]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'from':'a','to':'z'}         | graph.edges[0].to   | no node has the id z
          {'from':'z','to':'a'}         | graph.edges[0].from | no node has the id z
          {'from':'a','to':'a'}         | graph.edges[0].to   | another node
          {'to':'a'}                    | graph.edges[0].from | is required
          {'from':'a'}                  | graph.edges[0].to   | is required
          {'from':'a','to':'b','w':1}   | graph.edges[0].w    | unknown field
          'a'                           | graph.edges[0]      | object
          {'from':'a','to':'b'},{'from':'a','to':'b'} | graph.edges[1] | there already
          """)
  void aBadEdgeIsRefusedWithItsField(String edges, String field, String message) {
    var problems =
        problems(
            "{'nodes':[{'id':'a',%1$s},{'id':'b',%1$s}],'edges':[%2$s]}".formatted(SET, edges));
    assertThat(problems).containsOnlyKeys(field);
    assertThat(problems.get(field)).contains(message);
  }

  @Test
  void edgesMustBeAnArray() {
    assertThat(problems("{'nodes':[{'id':'a',%s}],'edges':{}}".formatted(SET)))
        .containsOnlyKeys("graph.edges");
  }

  @Test
  void aCycleIsRefusedAndNamesTheNodesOnIt() {
    String nodes =
        IntStream.of(1, 2, 3, 4)
            .mapToObj(i -> "{'id':'n%d',%s}".formatted(i, SET))
            .collect(Collectors.joining(","));
    // n1 leads into the cycle and n4 hangs on it: neither is on it.
    String edges =
        "{'from':'n1','to':'n2'},{'from':'n2','to':'n3'},{'from':'n3','to':'n2'},{'from':'n3','to':'n4'}";
    var problems = problems("{'nodes':[" + nodes + "],'edges':[" + edges + "]}");
    assertThat(problems).containsOnlyKeys("graph.edges");
    assertThat(problems.get("graph.edges"))
        .containsAnyOf("cycle: n2 → n3 → n2", "cycle: n3 → n2 → n3");
  }

  @Test
  void anUnknownFieldOfTheGraphIsRefused() {
    assertThat(problems("{'nodes':[{'id':'a',%s}],'layout':1}".formatted(SET)))
        .containsOnlyKeys("graph.layout");
  }

  @Test
  void everyProblemIsToldAtOnce() {
    assertThat(
            problems(
                "{'nodes':[{'id':'a','type':'nope'},{'type':'sleep'}],'edges':[{'from':'a','to':'q'}],'x':1}"))
        .containsOnlyKeys(
            "graph.x",
            "graph.nodes[0].type",
            "graph.nodes[1].id",
            "graph.nodes[1].config.duration",
            "graph.edges[0].to");
  }

  @Test
  void theListOfProblemsIsBounded() {
    String bad = String.join(",", Collections.nCopies(400, "{}"));
    var problems = GraphParser.parse(read("{'nodes':[" + bad + "]}"), Set.of());
    assertThat(((Parsed.Invalid<Graph>) problems).problems()).hasSize(50);
  }

  @ParameterizedTest
  @ValueSource(strings = {"'\\u0000'", "'\\ud800'", "{'\\u0000':1}", "[[1e2000]]", "-1e-2000"})
  void whatTheDatabaseCannotStoreIsRefused(String value) {
    assertThat(
            problems("{'nodes':[{'id':'a','type':'set','config':{'values':{'x':" + value + "}}}]}"))
        .containsOnlyKeys("graph");
  }

  private static String nodes(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "{'id':'n%d',%s}".formatted(i, SET))
        .collect(Collectors.joining(","));
  }

  private static Graph valid(String json) {
    return switch (GraphParser.parse(read(json), Set.of("http.get"))) {
      case Parsed.Valid<Graph>(var graph) -> graph;
      case Parsed.Invalid<Graph> invalid -> throw new AssertionError(invalid.detail());
    };
  }

  private static Map<String, String> problems(String json) {
    var parsed = GraphParser.parse(read(json), Set.of("http.get"));
    assertThat(parsed).isInstanceOf(Parsed.Invalid.class);
    var problems = new LinkedHashMap<String, String>();
    for (FieldProblem problem : ((Parsed.Invalid<Graph>) parsed).problems()) {
      problems.put(problem.field(), problem.message());
    }
    return problems;
  }

  private static tools.jackson.databind.JsonNode read(String json) {
    return Json.MAPPER.readTree(quoted(json));
  }

  private static String quoted(String json) {
    return json.replace('\'', '"');
  }
}
