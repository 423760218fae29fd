package dev.sluice.dispatcher.ledger;

import dev.sluice.dispatcher.ledger.IntakeLedger.Accepted;
import dev.sluice.dispatcher.ledger.IntakeLedger.NewItem;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Requests in whose way there is nothing but their workspace's limit become rows with their slots.
 */
public final class EnterLedger {
  /** More are better served by another function: this one counts slots for each of them. */
  public static final int FEW = 16;

  /** Its text is in the schema (V106): it takes the locks first, and reads anew after that. */
  private static final String ENTER =
      """
      select * from enter_few(?::uuid[], ?::text[], ?::text[], ?::smallint[], ?::json[], ?::text[], ?::bigint[],
                              ?::text[], ?::text[], ?::int[], ?::uuid)
      """;

  private final JdbcTemplate jdbc;
  private final EnterManyLedger manyLedger;
  private final UUID owner;
  private final int few;

  /** What of a batch is new, and its claims, in their order. */
  public record Stored(List<Accepted> accepted, List<Claim> claims, Map<String, Room> rooms) {
    static Stored empty() {
      return new Stored(new ArrayList<>(), new ArrayList<>(), new HashMap<>());
    }

    void add(Claim claim, Room room) {
      claims.add(claim);
      accepted.add(Accepted.withSlot(claim));
      rooms.put(claim.workspaceId(), room);
    }
  }

  /** What a workspace had before its requests got their slots. */
  public record Room(int slots, int held, int weight) {
    public int free() {
      return slots - held;
    }
  }

  /**
   * @param owner who claims
   */
  public EnterLedger(JdbcTemplate jdbc, UUID owner) {
    this(jdbc, owner, FEW);
  }

  /**
   * @param few up to so many are a few
   */
  public EnterLedger(JdbcTemplate jdbc, UUID owner, int few) {
    this.jdbc = jdbc;
    this.manyLedger = new EnterManyLedger(jdbc, owner);
    this.owner = owner;
    this.few = few;
  }

  /**
   * Answers those that are rows now, each with its claim. Whoever is not among them was not stored:
   * it was here before, or something is in its way.
   *
   * @param items with no key, limits or times of their own
   * @param coming how many of them there are for each workspace
   */
  public Stored enter(List<NewItem> items, Map<String, Integer> coming) {
    return items.size() > few ? manyLedger.enter(items, coming) : enterFew(items, coming);
  }

  private Stored enterFew(List<NewItem> items, Map<String, Integer> coming) {
    var stored = Stored.empty();
    jdbc.query(
        ENTER,
        row -> {
          collect(stored, row);
        },
        PlainLedger.columns(
            items, Columns.of(items, i -> coming.get(i.request().workspaceId())), owner));
    return stored;
  }

  private static void collect(Stored stored, ResultSet row) throws SQLException {
    stored.add(
        AdmitLedger.claimOf(row, false, false),
        new Room(row.getInt("slots"), row.getInt("held"), row.getInt("weight")));
  }
}
