package dev.sluice.ingest.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.ItemState;
import dev.sluice.ingest.Ingest;
import dev.sluice.servers.TestStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** On a database of its own: one workspace with much of everything, and one with a little. */
@Tag("P2")
class NewestFirstTest {
  private static final int MUCH = 2_000;
  private static final Pattern ROWS = Pattern.compile("actual rows=(\\d+)\\S* loops=(\\d+)");
  private static final Pattern REMOVED = Pattern.compile("Rows Removed by Filter: (\\d+)");

  private static Ingest ingest;
  private static JdbcClient jdbc;

  @BeforeAll
  static void fill() {
    ingest = Ingest.start(TestStack.shared().freshDatabase("newest"));
    jdbc = ingest.jdbc();
    for (int n = 0; n < MUCH; n += MUCH / 4) {
      everything("many", MUCH / 4); // some of each, and some of each again
    }
    everything("few", 1);
    everything("few", 1);
    jdbc.sql("analyze").update();
  }

  @AfterAll
  static void stop() {
    ingest.close();
  }

  private static void everything(String workspace, int count) {
    for (int priority : new int[] {5, 0, 9}) {
      add(workspace, count, "PENDING", "priority", Integer.toString(priority));
    }
    add(workspace, count, "PENDING", "gate, ready_at", "'delayed', now() + interval '1 day'");
    add(workspace, count, "PENDING", "gate, parked_on", "'parked', 'partition'");
    add(workspace, count, "PENDING", "gate, parked_on", "'parked', 'definition'");
    add(workspace, count, "PENDING", "gate, parked_on, parked_key", "'parked', 'limit', 'k'");
    add(workspace, count, "PENDING", "gate, parked_on", "'parked', 'paused'");
    add(
        workspace,
        Math.min(count, 5),
        "CLAIMED",
        "claim_token, claimed_at",
        "gen_random_uuid(), now()");
    add(workspace, count, "DISPATCHED", "dispatched_at", "now()");
    add(workspace, count, "FAILED", "failure_code, failure_message, ended_at", "'X', 'x', now()");
    add(workspace, count, "CANCELLED", "ended_at", "now()");
    add(workspace, count, "EXPIRED", "ended_at", "now()");
  }

  private static void add(
      String workspace, int count, String state, String columns, String values) {
    boolean hasPriority = columns.equals("priority");
    jdbc.sql(
            """
            insert into workflow_execution_queue
              (id, workspace_id, definition_id, definition_version, state, input, %s)
            select gen_random_uuid(), ?, 'report', 1, ?, '{}', %s from generate_series(1, ?)
            """
                .formatted(
                    columns + (hasPriority ? "" : ", priority"),
                    values + (hasPriority ? "" : ", 5")))
        .params(workspace, state, count)
        .update();
  }

  @Test
  void nothingIsMissingAndAllIsInOrderAcrossPages() {
    List<UUID> all =
        jdbc.sql(
                "select id from workflow_execution_queue where workspace_id = 'few' order by seq"
                    + " desc")
            .query(UUID.class)
            .list();
    var paged = new ArrayList<UUID>();
    Optional<Long> before = Optional.empty();
    for (List<ItemRow> page; !(page = page("few", Optional.empty(), before, 4)).isEmpty(); ) {
      page.forEach(row -> paged.add(row.id()));
      before = Optional.of(page.getLast().seq());
    }
    assertThat(paged).isEqualTo(all).hasSize(26);
  }

  @ParameterizedTest
  @EnumSource
  void aStateHasItsOwnAndNobodyElses(ItemState state) {
    long there =
        jdbc.sql(
                "select count(*) from workflow_execution_queue where workspace_id = 'few' and state"
                    + " = ?")
            .param(state.name())
            .query(Long.class)
            .single();
    assertThat(page("few", Optional.of(state), Optional.empty(), 50))
        .hasSize((int) there)
        .allMatch(row -> row.state() == state);
  }

  /** A page of ten out of tens of thousands, from their middle, too. */
  @Test
  void aPageReadsAboutAsManyRowsAsItAsksEachKindFor() {
    long middle =
        jdbc.sql(
                "select avg(seq)::bigint from workflow_execution_queue where workspace_id = 'many'")
            .query(Long.class)
            .single();
    assertThat(rowsRead(Optional.empty())).isLessThan(400);
    assertThat(rowsRead(Optional.of(middle))).isLessThan(400);
  }

  private static List<ItemRow> page(
      String workspace, Optional<ItemState> state, Optional<Long> before, int most) {
    return new StatusRepository(jdbc)
        .list(new ListFilter(workspace, state, Optional.empty(), before), most);
  }

  /** By the nodes that read the table, with what they threw away. */
  private static long rowsRead(Optional<Long> before) {
    var filter = new ListFilter("many", Optional.empty(), Optional.empty(), before);
    var statement =
        jdbc.sql("explain (analyze, timing off) " + NewestFirst.sql(filter, 10))
            .param("workspace", "many");
    List<String> plan =
        before
            .map(seq -> statement.param("before", seq))
            .orElse(statement)
            .query(String.class)
            .list();
    assertThat(plan).noneMatch(line -> line.contains("Seq Scan on workflow_execution_queue"));
    return plan.stream()
            .filter(line -> line.contains("Scan"))
            .mapToLong(NewestFirstTest::rows)
            .sum()
        + plan.stream().mapToLong(NewestFirstTest::removed).sum();
  }

  private static long rows(String line) {
    return ROWS.matcher(line)
        .results()
        .mapToLong(found -> number(found, 1) * number(found, 2))
        .sum();
  }

  private static long removed(String line) {
    return REMOVED.matcher(line).results().mapToLong(found -> number(found, 1)).sum();
  }

  private static long number(MatchResult found, int group) {
    return Long.parseLong(found.group(group));
  }
}
