package dev.sluice.dispatcher.ledger;

import dev.sluice.dispatcher.ledger.AdmitLedger.Ask;
import dev.sluice.dispatcher.ledger.AdmitLedger.Given;
import dev.sluice.dispatcher.ledger.FinishLedger.Close;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The slot of a workflow that has closed goes to the next of its workspace: one trip to the
 * database for what takes {@link WorkspaceLock}, {@link FinishLedger} and {@link AdmitLedger} five,
 * where there is nothing to it but the workspace's limit.
 */
public final class HandoverLedger {
  /** More are better served by the statements for many. */
  public static final int MOST = 4;

  /** Its text is in the schema (V106): it takes the locks first, and reads anew after that. */
  private static final String HAND_OVER =
      """
      select * from hand_over(?::uuid[], ?::text[], ?::json[], ?::text[], ?::text[], ?::text[], ?::int[], ?::uuid)
      """;

  private final JdbcTemplate jdbc;
  private final UUID owner;

  /**
   * @param owner who claims
   */
  public HandoverLedger(JdbcTemplate jdbc, UUID owner) {
    this.jdbc = jdbc;
    this.owner = owner;
  }

  /** A workflow that has closed, and how many its workspace may claim then. */
  public record Handover(Close close, Ask ask) {}

  /**
   * All or none: where any of it is special in any way, nothing is changed, and the answer is
   * empty.
   *
   * @param handovers each for another workspace
   */
  public List<Given> handOver(List<Handover> handovers) {
    var given = new LinkedHashMap<String, Given>();
    jdbc.query(
        HAND_OVER,
        row -> {
          collect(given, row);
        },
        Columns.of(handovers, h -> h.close().id()),
        Columns.of(handovers, h -> h.close().status()),
        Columns.of(handovers, h -> h.close().result()),
        Columns.of(handovers, h -> h.close().error()),
        Columns.of(handovers, h -> h.close().runId()),
        Columns.of(handovers, h -> h.ask().workspaceId()),
        Columns.of(handovers, h -> h.ask().most()),
        owner);
    return List.copyOf(given.values());
  }

  private static void collect(Map<String, Given> given, ResultSet row) throws SQLException {
    String workspace = row.getString("room_of");
    Given got = given.get(workspace);
    if (got == null) {
      got = given(workspace, row);
      given.put(workspace, got);
    }
    if (row.getObject("id") != null) {
      got.claims().add(AdmitLedger.claimOf(row, false, false));
    }
  }

  /** Whoever may have to stand aside is looked at again, by the statement that knows for what. */
  private static Given given(String workspace, ResultSet row) throws SQLException {
    int slots = row.getInt("slots");
    int held = row.getInt("held");
    int hindered = row.getBoolean("hindered") ? 1 : 0;
    return new Given(
        workspace,
        slots,
        held,
        true,
        slots - held,
        false,
        row.getInt("weight"),
        null,
        0,
        0,
        hindered,
        new ArrayList<>());
  }
}
