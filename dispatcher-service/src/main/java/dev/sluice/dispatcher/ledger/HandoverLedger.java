package dev.sluice.dispatcher.ledger;

import dev.sluice.dispatcher.ledger.AdmitLedger.Ask;
import dev.sluice.dispatcher.ledger.AdmitLedger.Given;
import dev.sluice.dispatcher.ledger.EnterLedger.Room;
import dev.sluice.dispatcher.ledger.FinishLedger.Close;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The slot of a workflow that has closed goes to the next of its workspace: one trip to the
 * database for what takes {@link WorkspaceLock}, {@link FinishLedger} and {@link AdmitLedger} four,
 * where there is nothing to it but the workspace's limit.
 */
public final class HandoverLedger {
  /** Its text is in the schema (V106): it takes the lock first, and reads anew after that. */
  private static final String HAND_OVER =
      """
      select * from hand_over(?::uuid, ?::text, ?::json, ?::text, ?::text, ?::text, ?::int, ?::uuid)
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

  /** Empty where there is more to it, and then nothing was changed. */
  public Optional<Given> handOver(Close close, Ask ask) {
    List<Given> given =
        jdbc.query(
            HAND_OVER,
            rows -> {
              var one = new ArrayList<Given>(1);
              while (rows.next()) {
                collect(one, ask.workspaceId(), rows);
              }
              return one;
            },
            close.id(),
            close.status().name(),
            close.result(),
            close.error(),
            close.runId(),
            ask.workspaceId(),
            ask.most(),
            owner);
    return given == null ? Optional.empty() : given.stream().findFirst();
  }

  private static void collect(List<Given> given, String workspace, ResultSet row)
      throws SQLException {
    if (given.isEmpty()) {
      given.add(given(workspace, row));
    }
    if (row.getObject("id") != null) {
      given.getFirst().claims().add(AdmitLedger.claimOf(row, false, false));
    }
  }

  /** Whoever may have to stand aside is looked at again, by the statement that knows for what. */
  private static Given given(String workspace, ResultSet row) throws SQLException {
    var room = new Room(row.getInt("slots"), row.getInt("held"), row.getInt("weight"));
    return Given.within(workspace, room, row.getBoolean("hindered") ? 1 : 0, new ArrayList<>());
  }
}
