package dev.sluice.contracts;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class RequestParserTest {
  @Test
  void everyFieldIsRead() {
    assertThat(
            valid(
                """
                {'workspaceId':'acme','definitionId':'nightly.report:v-1','input':{'b':1,'a':[true,null]},
                 'idempotencyKey':'order 7/ü','priority':0,'notBefore':'2027-01-31T09:00:00Z',
                 'expiresAt':'2027-01-31T12:00:00+02:00','deadline':'PT10M','partitionKey':'tape 1','parentId':'p-1',
                 'limits':[{'key':'user:42','max':3},{'key':'region eu','max':1}]}
                """))
        .isEqualTo(
            new ExecutionRequest(
                "acme",
                "nightly.report:v-1",
                quoted("{'b':1,'a':[true,null]}"),
                "order 7/ü",
                0,
                Instant.parse("2027-01-31T09:00:00Z"),
                Instant.parse("2027-01-31T10:00:00Z"),
                Duration.ofMinutes(10),
                "tape 1",
                List.of(
                    new ExecutionRequest.KeyLimit("user:42", 3),
                    new ExecutionRequest.KeyLimit("region eu", 1)),
                "p-1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'workspaceId':'acme','definitionId':'d'}",
        "{'workspaceId':'acme','definitionId':'d','input':null,'priority':null,'deadline':null,'parentId':null}"
      })
  void whatIsLeftOutOrNullHasItsDefault(String json) {
    assertThat(valid(json))
        .isEqualTo(
            new ExecutionRequest(
                "acme", "d", "null", null, 5, null, null, null, null, List.of(), null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          workspaceId    | null                         | is required
          workspaceId    | ''                           | 1 to 64
          workspaceId    | 'a/b'                        | letters, digits
          workspaceId    | 'ä'                          | letters, digits
          workspaceId    | 'a\\n'                       | control characters
          workspaceId    | 12                           | string
          definitionId   | null                         | is required
          definitionId   | ['d']                        | string
          idempotencyKey | ''                           | 1 to 200
          idempotencyKey | 'a\\u0000'                   | control characters
          idempotencyKey | '\\ud800'                    | broken Unicode
          idempotencyKey | true                         | string
          priority       | -1                           | 0 to 9
          priority       | 10                           | 0 to 9
          priority       | 5.0                          | 0 to 9
          priority       | '5'                          | 0 to 9
          priority       | 99999999999999999999         | 0 to 9
          priority       | 1e999999999                  | 0 to 9
          notBefore      | 'tomorrow'                   | 2027-01-31T09:00:00Z
          notBefore      | '2027-01-31T09:00:00'        | 2027-01-31T09:00:00Z
          notBefore      | '2027-02-30T09:00:00Z'       | 2027-01-31T09:00:00Z
          notBefore      | '1969-12-31T23:59:59Z'       | 2027-01-31T09:00:00Z
          notBefore      | '+12027-01-31T09:00:00Z'     | 2027-01-31T09:00:00Z
          notBefore      | 1800000000                   | string
          expiresAt      | '2027-01-31'                 | 2027-01-31T09:00:00Z
          deadline       | 'PT0S'                       | at least a millisecond
          deadline       | 'PT0.0009S'                  | at least a millisecond
          deadline       | '-PT1S'                      | at least a millisecond
          deadline       | 'P1M'                        | PT10M
          deadline       | 'P3651D'                     | at most P3650D
          deadline       | 'PT9999999999999999999S'     | PT10M
          deadline       | 600                          | string
          partitionKey   | {}                           | string
          partitionKey   | ''                           | 1 to 200
          parentId       | 'a b'                        | letters, digits
          input          | '\\udc00'                    | surrogate
          color          | 1                            | unknown field
          retryOf        | 'x'                          | unknown field
          """)
  void aBadValueIsRefusedWithItsField(String field, String value, String message) {
    var fields = new LinkedHashMap<>(Map.of("workspaceId", "'acme'", "definitionId", "'d'"));
    fields.put(field, value);
    var invalid =
        invalid(
            fields.entrySet().stream()
                .map(f -> "'" + f.getKey() + "':" + f.getValue())
                .collect(Collectors.joining(",", "{", "}")));
    assertThat(invalid.reason()).isEqualTo(DeadLetterReason.INVALID_FIELD);
    assertThat(invalid.problems())
        .singleElement()
        .satisfies(p -> assertThat(p.field()).isEqualTo(field))
        .satisfies(p -> assertThat(p.message()).contains(message));
  }

  @Test
  void everyProblemIsToldAtOnce() {
    assertThat(invalid("{'priority':11,'deadline':'x','nope':1}").problems())
        .extracting(FieldProblem::field)
        .containsExactlyInAnyOrder("workspaceId", "definitionId", "priority", "deadline", "nope");
  }

  @Test
  void aRequestThatExpiresBeforeItMayStartIsRefused() {
    var invalid =
        invalid(
            "{'workspaceId':'acme','definitionId':'d','notBefore':'2027-01-31T09:00:00Z','expiresAt':'2027-01-31T09:00:00Z'}");
    assertThat(invalid.detail()).isEqualTo("notBefore: must be before expiresAt");
  }

  @ParameterizedTest
  @CsvSource({"64,true", "65,false"})
  void idsHaveAtMostSixtyFourCharacters(int length, boolean taken) {
    assertTaken("{'workspaceId':'acme','definitionId':'" + "d".repeat(length) + "'}", taken);
  }

  @ParameterizedTest
  @CsvSource({"x,200,true", "x,201,false", "😀,200,true", "😀,201,false"})
  void keysHaveAtMostTwoHundredCharactersOfAnyPlane(String character, int count, boolean taken) {
    String key = character.repeat(count);
    assertTaken("{'workspaceId':'acme','definitionId':'d','idempotencyKey':'" + key + "'}", taken);
  }

  @Test
  void theListOfProblemsIsBoundedWhateverTheRequestSays() {
    String fields =
        IntStream.range(0, 20_000).mapToObj(i -> "'f" + i + "':1").collect(Collectors.joining(","));
    var invalid = invalid("{" + fields + "}");
    assertThat(invalid.problems()).hasSizeLessThanOrEqualTo(20);
    assertThat(invalid.detail().getBytes(UTF_8)).hasSizeLessThan(32 * 1024);
  }

  @Test
  void anOverlongNameOfAnUnknownFieldIsCutWithoutBreakingItsCharacters() {
    var invalid = invalid("{'" + "x".repeat(63) + "😀😀':1}");
    assertThat(invalid.problems()).extracting(FieldProblem::field).allMatch(StorableJson::isWhole);
  }

  @Test
  @Tag("Q26")
  void theInputIsNotRepeatedInAProblem() {
    assertThat(invalid("{'workspaceId':'acme','input':{'secret':'hunter2'}, oops").detail())
        .doesNotContain("hunter2")
        .contains("line 1, column");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.10",
        "0.1000000000000000000000000000000000000001",
        "123456789012345678901234567890",
        "1E+400",
        "9007199254740993"
      })
  void numbersOfTheInputKeepEveryDigit(String number) {
    String input = "{'workspaceId':'acme','definitionId':'d','input':[" + number + "]}";
    assertThat(valid(input).input()).isEqualTo("[" + number + "]");
  }

  @Test
  void textOfTheInputIsKept() {
    String text = "'ü 😀 \\u0000 \\\\ \\n'";
    assertThat(
            Json.MAPPER.readTree(
                valid("{'workspaceId':'a','definitionId':'d','input':" + text + "}").input()))
        .isEqualTo(Json.MAPPER.readTree(quoted(text)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "null",
        "[]",
        "'x'",
        "7",
        "{",
        "{}{}",
        "{} x",
        "{'a':1,'a':1}",
        "{a:1}",
        "{'a':NaN}",
        "{'a':01}",
        "{'a':1,}",
        "// c\n{}",
        "{'input':{'k':1,'k':2}}"
      })
  void whatIsNotOneJsonObjectIsRefused(String json) {
    assertThat(invalid(json).reason()).isEqualTo(DeadLetterReason.NOT_JSON);
  }

  @Test
  void brokenUtf8IsRefused() {
    byte[] latin =
        quoted("{'workspaceId':'acme','definitionId':'d','input':'é'}").getBytes(ISO_8859_1);
    assertThat(RequestParser.request(latin)).isInstanceOf(Parsed.Invalid.class);
  }

  @Test
  void halfASurrogatePairWrittenAsUtf8IsRefused() {
    byte[] data = quoted("{'workspaceId':'acme','definitionId':'d','input':'___'}").getBytes(UTF_8);
    int at = new String(data, UTF_8).indexOf("___");
    data[at] = (byte) 0xed;
    data[at + 1] = (byte) 0xa0;
    data[at + 2] = (byte) 0x80;
    assertThat(RequestParser.request(data)).isInstanceOf(Parsed.Invalid.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'user:42'                                  | limits         | at most 3
          [1]                                        | limits[0]      | an object
          [{'max':1}]                                | limits[0].key  | is required
          [{'key':'a'}]                              | limits[0].max  | is required
          [{'key':'','max':1}]                       | limits[0].key  | 1 to 100
          [{'key':'a','max':0}]                      | limits[0].max  | from 1
          [{'key':'a','max':-1}]                     | limits[0].max  | from 1
          [{'key':'a','max':1,'min':1}]              | limits[0].min  | unknown field
          [{'key':'a','max':1},{'key':'a','max':2}]  | limits[1].key  | twice
          [{'key':'a','max':1},{'key':'b','max':1},{'key':'c','max':1},{'key':'d','max':1}] | limits | at most 3
          """)
  @Tag("Q27")
  void aLimitThatIsWrongIsNamed(String limits, String field, String message) {
    var problems =
        invalid("{'workspaceId':'acme','definitionId':'d','limits':" + limits + "}").problems();
    assertThat(problems).hasSize(1);
    assertThat(problems.getFirst().field()).isEqualTo(field);
    assertThat(problems.getFirst().message()).contains(message);
  }

  @Test
  void aLimitsKeyThatIsTooLongIsRefused() {
    String key = "k".repeat(101);
    assertThat(
            invalid(
                    "{'workspaceId':'acme','definitionId':'d','limits':[{'key':'"
                        + key
                        + "','max':1}]}")
                .problems())
        .extracting(FieldProblem::field)
        .containsExactly("limits[0].key");
  }

  @Test
  void halfASurrogatePairInANameIsRefused() {
    assertTaken("{'workspaceId':'acme','definitionId':'d','input':{'\\ud83d':1}}", false);
  }

  @Test
  void theLargestBodyIsTakenAndOneByteMoreIsNot() {
    String start = "{'workspaceId':'acme','definitionId':'d','input':'";
    String filled = start + "x".repeat(RequestParser.LARGEST_BODY - start.length() - 2) + "'}";
    assertThat(valid(filled).input()).hasSizeGreaterThan(200_000);
    assertThat(invalid(filled + " ").reason()).isEqualTo(DeadLetterReason.TOO_LARGE);
  }

  @Test
  void deepNestingIsTakenWithinReasonAndRefusedBeyondIt() {
    assertTaken(nested(400), true);
    assertThat(invalid(nested(100_000)).reason()).isEqualTo(DeadLetterReason.NOT_JSON);
  }

  @Test
  void theBodyOfAPostTakesItsWorkspaceFromThePath() {
    var parsed = RequestParser.body(object("{'definitionId':'d'}"), "acme");
    assertThat(parsed).isInstanceOf(Parsed.Valid.class);
    var named = RequestParser.body(object("{'definitionId':'d','workspaceId':'acme'}"), "acme");
    assertThat(named).isInstanceOf(Parsed.Invalid.class);
  }

  @Test
  void aCancelRequestIsRead() {
    UUID id = ExecutionIds.mint();
    String json =
        "{'workspaceId':'acme','id':'" + id + "','reason':'not needed','terminateAfter':'PT30S'}";
    assertThat(RequestParser.cancel(bytes(json)))
        .isEqualTo(
            new Parsed.Valid<>(
                new CancelRequest("acme", id, "not needed", Duration.ofSeconds(30))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "'1-1-1-1-1'", "'x'", "7", "''"})
  void aCancelRequestWithoutAProperIdIsRefused(String id) {
    var parsed = RequestParser.cancel(bytes("{'workspaceId':'a b','id':" + id + "}"));
    assertThat(((Parsed.Invalid<?>) parsed).problems())
        .extracting(FieldProblem::field)
        .containsExactlyInAnyOrder("workspaceId", "id");
  }

  private static String nested(int depth) {
    return "{'workspaceId':'acme','definitionId':'d','input':"
        + "[".repeat(depth)
        + "]".repeat(depth)
        + "}";
  }

  private static void assertTaken(String json, boolean taken) {
    assertThat(RequestParser.request(bytes(json)))
        .isInstanceOf(taken ? Parsed.Valid.class : Parsed.Invalid.class);
  }

  private static ExecutionRequest valid(String json) {
    return switch (RequestParser.request(bytes(json))) {
      case Parsed.Valid<ExecutionRequest>(var request) -> request;
      case Parsed.Invalid<ExecutionRequest> invalid -> throw new AssertionError(invalid.detail());
    };
  }

  private static Parsed.Invalid<ExecutionRequest> invalid(String json) {
    var parsed = RequestParser.request(bytes(json));
    assertThat(parsed).isInstanceOf(Parsed.Invalid.class);
    return (Parsed.Invalid<ExecutionRequest>) parsed;
  }

  private static ObjectNode object(String json) {
    return (ObjectNode) Json.MAPPER.readTree(quoted(json));
  }

  private static byte[] bytes(String json) {
    return quoted(json).getBytes(UTF_8);
  }

  private static String quoted(String json) {
    return json.replace('\'', '"');
  }
}
