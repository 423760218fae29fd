package dev.sluice.dispatcher.ledger;

import dev.sluice.dispatcher.ledger.IntakeLedger.Accepted;
import dev.sluice.dispatcher.ledger.IntakeLedger.NewItem;
import dev.sluice.dispatcher.ledger.IntakeLedger.Room;
import dev.sluice.dispatcher.ledger.IntakeLedger.Stored;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;

/** A few requests become rows with their slots; what {@link IntakeLedger} does for any. */
public final class EnterLedger {
  /** More are better served by one large statement: this one counts slots for each of them. */
  public static final int MOST = 16;

  /** Its text is in the schema (V106): it takes the locks first, and reads anew after that. */
  private static final String ENTER =
      """
      select * from enter_few(?::uuid[], ?::text[], ?::text[], ?::smallint[], ?::json[], ?::text[], ?::bigint[],
                              ?::text[], ?::text[], ?::int[], ?::uuid)
      """;

  private final JdbcTemplate jdbc;
  private final UUID owner;

  /**
   * @param owner who claims
   */
  public EnterLedger(JdbcTemplate jdbc, UUID owner) {
    this.jdbc = jdbc;
    this.owner = owner;
  }

  /**
   * Answers those that are rows now, each with its claim. Whoever is not among them was not stored:
   * it was here before, or something is in its way.
   *
   * @param items with no key, limits or times of their own
   * @param coming how many of them there are for each workspace
   */
  public Stored enter(List<NewItem> items, Map<String, Integer> coming) {
    var stored = new Stored(new ArrayList<>(items.size()), new ArrayList<>(), new HashMap<>());
    jdbc.query(
        ENTER,
        row -> {
          collect(stored, row);
        },
        Columns.of(items, NewItem::id),
        Columns.of(items, i -> i.request().workspaceId()),
        Columns.of(items, i -> i.request().definitionId()),
        Columns.of(items, i -> i.request().priority()),
        Columns.of(items, i -> i.request().input()),
        Columns.of(items, i -> i.request().idempotencyKey()),
        Columns.of(items, i -> IntakeLedger.millis(i.request().deadline())),
        Columns.of(items, i -> i.request().parentId()),
        Columns.of(items, NewItem::traceparent),
        Columns.of(items, i -> coming.get(i.request().workspaceId())),
        owner);
    return stored;
  }

  private static void collect(Stored stored, ResultSet row) throws SQLException {
    Claim claim = AdmitLedger.claimOf(row, false, false);
    stored.claims().add(claim);
    stored.accepted().add(Accepted.withSlot(claim));
    stored
        .rooms()
        .put(
            claim.workspaceId(),
            new Room(row.getInt("slots"), row.getInt("held"), row.getInt("weight")));
  }
}
