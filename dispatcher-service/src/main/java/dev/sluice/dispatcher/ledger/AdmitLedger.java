package dev.sluice.dispatcher.ledger;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Free slots are given to the first in line. Must be called between {@link WorkspaceLock#lock} and
 * the commit: under READ COMMITTED a count in the locking statement would use a snapshot from
 * before the lock was granted, and two admissions would give away the same slot.
 */
public final class AdmitLedger {
  private final JdbcTemplate jdbc;
  private final UUID owner;
  private final String claim;

  /**
   * @param owner who claims. While another has claims in a workspace that are not started yet,
   *     nobody else claims there, or a later request could start before an earlier one
   * @param aging after waiting for so long an item counts as one priority higher; zero for never
   */
  public AdmitLedger(JdbcTemplate jdbc, UUID owner, Duration aging) {
    this.jdbc = jdbc;
    this.owner = owner;
    this.claim = AdmitSql.claim(aging);
  }

  /**
   * What one workspace may get.
   *
   * @param most claims at the most, whatever is free
   * @param lookAhead how many rows to look at beyond those, because some may have to stand aside
   */
  public record Ask(String workspaceId, int most, int lookAhead) {}

  /**
   * What a workspace got.
   *
   * @param open false while it is paused, under maintenance, or another dispatcher is at work in it
   * @param granted how many it could have claimed
   * @param starved the cap on all workspaces together left it less than it could have had
   * @param weight its share where starts are scarce
   * @param nextStart when its start rate allows the next one; null when that is now
   * @param parked rows that were in line and stand aside now
   * @param ended rows that were in line and never will be again
   * @param turns rows that only had to wait for another of this batch: to be looked at again
   */
  public record Given(
      String workspaceId,
      int slots,
      int held,
      boolean open,
      int granted,
      boolean starved,
      int weight,
      @Nullable Duration nextStart,
      int parked,
      int ended,
      int turns,
      List<Claim> claims) {
    /** Of a workspace where nothing but its limit had to be looked at. */
    public static Given within(
        String workspaceId, EnterLedger.Room room, int turns, List<Claim> claims) {
      return new Given(
          workspaceId,
          room.slots(),
          room.held(),
          true,
          room.free(),
          false,
          room.weight(),
          null,
          0,
          0,
          turns,
          claims);
    }

    public boolean atCapacity() {
      return held + claims.size() >= slots;
    }

    /**
     * It could have had more, and all that was in line has started.
     *
     * @param most as many as it was asked for
     */
    public boolean leftNobody(int most) {
      return open && claims.size() < Math.min(granted, most) && parked + ended + turns == 0;
    }

    /** It had less waiting than it was granted: what is left is for others. */
    public boolean wasted() {
      return claims.size() < granted;
    }
  }

  public List<Given> claim(List<Ask> asks) {
    var given = new LinkedHashMap<String, Room>();
    jdbc.query(
        claim,
        row -> {
          collect(given, row);
        },
        Columns.of(asks, Ask::workspaceId),
        Columns.of(asks, Ask::most),
        Columns.of(asks, Ask::lookAhead),
        owner,
        owner);
    return given.values().stream().map(Room::given).toList();
  }

  public int failOrphans(List<String> workspaceIds) {
    Integer failed =
        jdbc.queryForObject(AdmitSql.FAIL_ORPHANS, Integer.class, Columns.of(workspaceIds, w -> w));
    return failed == null ? 0 : failed;
  }

  /** A workspace's room, as the rows tell it, and the claims that come with them. */
  private record Room(
      String workspaceId,
      int slots,
      int held,
      boolean open,
      int granted,
      boolean starved,
      int weight,
      double rate,
      double tokens,
      int parked,
      int ended,
      int turns,
      List<Claim> claims) {
    Given given() {
      return new Given(
          workspaceId,
          slots,
          held,
          open,
          granted,
          starved,
          weight,
          nextStart(),
          parked,
          ended,
          turns,
          claims);
    }

    private @Nullable Duration nextStart() {
      double missing = 1 - (tokens - claims.size());
      return rate == 0 || missing <= 0
          ? null
          : Duration.ofMillis((long) Math.ceil(missing / rate * 1000));
    }
  }

  private static void collect(Map<String, Room> given, ResultSet row) throws SQLException {
    String workspace = row.getString("room_of");
    Room room = given.get(workspace);
    if (room == null) {
      room =
          new Room(
              workspace,
              row.getInt("slots"),
              row.getInt("held"),
              row.getBoolean("open"),
              row.getInt("granted"),
              row.getInt("granted") < row.getInt("free"),
              row.getInt("share"),
              row.getDouble("rate"),
              row.getDouble("tokens"),
              row.getInt("parked"),
              row.getInt("ended"),
              row.getInt("turns"),
              new ArrayList<>());
      given.put(workspace, room);
    }
    if (row.getObject("id") != null) {
      room.claims().add(claimOf(row, false, false));
    }
  }

  static Claim claimOf(ResultSet row, boolean takenOver, boolean lookFirst) throws SQLException {
    return new Claim(
        row.getObject("id", UUID.class),
        row.getObject("claim_token", UUID.class),
        row.getString("workspace_id"),
        row.getString("definition_id"),
        row.getInt("definition_version"),
        row.getString("input"),
        row.getInt("priority"),
        millis(row, "deadline_ms"),
        row.getString("traceparent"),
        row.getInt("attempts"),
        new Claim.Rules(
            row.getInt("max_attempts"),
            millis(row, "first_backoff_ms"),
            millis(row, "longest_backoff_ms"),
            row.getInt("weight")),
        row.getObject("accepted_at", OffsetDateTime.class).toInstant(),
        row.getInt("revision"),
        takenOver,
        lookFirst);
  }

  static @Nullable Duration millis(ResultSet row, String column) throws SQLException {
    long millis = row.getLong(column);
    return row.wasNull() ? null : Duration.ofMillis(millis);
  }
}
