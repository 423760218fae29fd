package dev.sluice.dispatcher.ledger;

import static java.util.Comparator.comparingInt;
import static java.util.Objects.requireNonNull;

import dev.sluice.contracts.ExecutionRequest;
import dev.sluice.dispatcher.ledger.EnterLedger.Room;
import dev.sluice.dispatcher.ledger.EnterLedger.Stored;
import dev.sluice.dispatcher.ledger.IntakeLedger.NewItem;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** What {@link EnterLedger} does for a few, for hundreds. */
final class EnterManyLedger {
  /** Of a claim that was made with its row: it was PENDING in between, as its events say. */
  private static final int REVISION = 2;

  /** Its text is in the schema (V110): it takes the locks first, and reads anew after that. */
  private static final String ENTER =
      """
      select * from enter_many(?::uuid[], ?::text[], ?::text[], ?::smallint[], ?::json[], ?::text[], ?::bigint[],
                               ?::text[], ?::text[], ?::int[], ?::text[], ?::int[], ?::uuid)
      """;

  private final JdbcTemplate jdbc;
  private final UUID owner;

  EnterManyLedger(JdbcTemplate jdbc, UUID owner) {
    this.jdbc = jdbc;
    this.owner = owner;
  }

  Stored enter(List<NewItem> items, Map<String, Integer> coming) {
    var names = List.copyOf(coming.keySet());
    var places = new HashMap<String, Integer>();
    names.forEach(name -> places.put(name, places.size() + 1));
    var answer = new Answer(new HashMap<>(), new HashMap<>());
    jdbc.query(
        ENTER,
        answer::add,
        PlainLedger.columns(
            items,
            Columns.of(items, i -> places.get(i.request().workspaceId())),
            Columns.of(names, name -> name),
            Columns.of(names, coming::get),
            owner));
    return answer.stored(items, places);
  }

  /** What is new of a request that we have at hand. */
  private record Entered(
      UUID token,
      int version,
      Instant acceptedAt,
      int maxAttempts,
      @Nullable Duration firstBackoff,
      @Nullable Duration longestBackoff) {}

  /** The function's rows: of requests, and of workspaces by their places. */
  private record Answer(Map<UUID, Entered> entered, Map<Integer, Room> rooms) {
    void add(ResultSet row) throws SQLException {
      UUID id = row.getObject("id", UUID.class);
      if (id == null) {
        rooms.put(
            row.getInt("place"),
            new Room(row.getInt("slots"), row.getInt("held"), row.getInt("weight")));
        return;
      }
      entered.put(
          id,
          new Entered(
              row.getObject("claim_token", UUID.class),
              row.getInt("definition_version"),
              row.getObject("accepted_at", OffsetDateTime.class).toInstant(),
              row.getInt("max_attempts"),
              AdmitLedger.millis(row, "first_backoff_ms"),
              AdmitLedger.millis(row, "longest_backoff_ms")));
    }

    /** In the order in which they are to be started: by priority, and as they came. */
    Stored stored(List<NewItem> items, Map<String, Integer> places) {
      var claims = new ArrayList<Claim>();
      for (NewItem item : items) {
        // Of two with one id the first is the row, whatever the second says.
        Entered as = entered.remove(item.id());
        if (as != null) {
          claims.add(claim(item, as, room(item.request().workspaceId(), places)));
        }
      }
      claims.sort(comparingInt(Claim::priority));
      var stored = Stored.empty();
      claims.forEach(claim -> stored.add(claim, room(claim.workspaceId(), places)));
      return stored;
    }

    private Room room(String workspaceId, Map<String, Integer> places) {
      return requireNonNull(rooms.get(places.get(workspaceId)));
    }

    private static Claim claim(NewItem item, Entered as, Room room) {
      ExecutionRequest request = item.request();
      Long deadline = IntakeLedger.millis(request.deadline());
      return new Claim(
          item.id(),
          as.token(),
          request.workspaceId(),
          request.definitionId(),
          as.version(),
          request.input(),
          request.priority(),
          deadline == null ? null : Duration.ofMillis(deadline),
          item.traceparent(),
          0,
          new Claim.Rules(as.maxAttempts(), as.firstBackoff(), as.longestBackoff(), room.weight()),
          as.acceptedAt(),
          REVISION,
          false,
          false);
    }
  }
}
