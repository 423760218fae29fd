package dev.sluice.recovery.relay;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What the relay asks and tells the database: its position, its slot, what it set aside. */
final class RelayLedger {
  private static final String STATE =
      """
      select relayed_lsn::text, relayed_until, replay_since, replay_reason from relay_state
      """;

  private static final String RECORD_POSITION =
      """
      update relay_state
         set relayed_lsn   = greatest(relayed_lsn, cast(:lsn as pg_lsn)),
             relayed_until = greatest(relayed_until, cast(:until as timestamptz)),
             updated_at    = now()
      """;

  private static final String OWE_REPLAY =
      """
      update relay_state
         set replay_since  = coalesce(replay_since, relayed_until - make_interval(secs => :margin), '-infinity'),
             replay_reason = :reason,
             updated_at    = now()
      """;

  private static final String START_AT_SLOT =
      """
      update relay_state
         set relayed_lsn = (select confirmed_flush_lsn from pg_replication_slots where slot_name = :slot),
             updated_at  = now()
      """;

  private static final String REPLAY_DONE =
      """
      update relay_state
         set relayed_until = greatest(relayed_until, cast(:until as timestamptz)),
             replay_since = null, replay_reason = null, updated_at = now()
       where replay_since = cast(:since as timestamptz)
      """;

  private static final String SET_ASIDE =
      """
      insert into outbox_set_aside (lsn, reason, detail, content)
      values (cast(:lsn as pg_lsn), :reason, :detail, :content)
      on conflict (lsn) do nothing
      """;

  private static final String SLOT =
      """
      select s.database = current_database() as ours,
             s.wal_status = 'lost'           as lost,
             coalesce(s.confirmed_flush_lsn > r.relayed_lsn, false) as ahead
        from pg_replication_slots s, relay_state r
       where s.slot_name = :slot
      """;

  private static final String BACKLOG =
      """
      select pg_wal_lsn_diff(pg_current_wal_lsn(), s.confirmed_flush_lsn)::bigint as lag_bytes,
             s.safe_wal_size, coalesce(r.relayed_until, now()) as relayed_until, now() as now
        from pg_replication_slots s, relay_state r
       where s.slot_name = :slot and s.confirmed_flush_lsn is not null
      """;

  private static final String PUBLICATION =
      """
      select exists (select from pg_publication_tables
                      where pubname = :publication and schemaname = current_schema() and tablename = 'outbox')
      """;

  private static final String MAKE_SLOT =
      """
      select pg_create_logical_replication_slot(:slot, 'pgoutput')
      """;

  private static final String DROP_SLOT =
      """
      select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = :slot and active_pid is null
      """;

  private static final String HEARTBEAT =
      """
      select pg_logical_emit_message(true, :prefix, '{}')
      """;

  private static final String SETTINGS =
      """
      select current_setting('wal_level') as wal_level, current_setting('max_slot_wal_keep_size') as keep,
             current_schema() as schema
      """;

  private final JdbcClient database;

  RelayLedger(JdbcClient database) {
    this.database = database;
  }

  /**
   * @param replaySince {@link Instant#MIN} for everything there is
   */
  record State(
      @Nullable String relayedLsn,
      @Nullable Instant relayedUntil,
      @Nullable Instant replaySince,
      @Nullable String replayReason) {}

  /**
   * @param ahead its position is beyond what we relayed: somebody else moved or made it
   */
  record Slot(boolean ours, boolean lost, boolean ahead) {}

  /**
   * @param safeWalSize how much may still be written before the slot is lost; null for no bound
   */
  record Backlog(long lagBytes, @Nullable Long safeWalSize, Instant relayedUntil, Instant now) {}

  record ServerSettings(String walLevel, String keepSize, String schema) {}

  State state() {
    return database
        .sql(STATE)
        .query(
            (row, n) ->
                new State(
                    row.getString("relayed_lsn"),
                    time(row, "relayed_until"),
                    time(row, "replay_since"),
                    row.getString("replay_reason")))
        .single();
  }

  Optional<Slot> slot(String name) {
    return database
        .sql(SLOT)
        .param("slot", name)
        .query(
            (row, n) ->
                new Slot(row.getBoolean("ours"), row.getBoolean("lost"), row.getBoolean("ahead")))
        .optional();
  }

  Optional<Backlog> backlog(String slot) {
    return database
        .sql(BACKLOG)
        .param("slot", slot)
        .query(
            (row, n) ->
                new Backlog(
                    row.getLong("lag_bytes"),
                    row.getObject("safe_wal_size", Long.class),
                    row.getObject("relayed_until", OffsetDateTime.class).toInstant(),
                    row.getObject("now", OffsetDateTime.class).toInstant()))
        .optional();
  }

  boolean hasPublication(String name) {
    return database.sql(PUBLICATION).param("publication", name).query(Boolean.class).single();
  }

  ServerSettings serverSettings() {
    return database
        .sql(SETTINGS)
        .query(
            (row, n) ->
                new ServerSettings(
                    row.getString("wal_level"), row.getString("keep"), row.getString("schema")))
        .single();
  }

  void recordPosition(Position position) {
    database
        .sql(RECORD_POSITION)
        .param("lsn", position.lsnText())
        .param("until", utc(position.committedAt()))
        .update();
  }

  void oweReplay(String reason, Duration margin) {
    database.sql(OWE_REPLAY).param("reason", reason).param("margin", margin.toSeconds()).update();
  }

  /** Names are checked by the settings; an identifier cannot be a parameter. */
  void makePublication(String name) {
    database.sql("drop publication if exists " + name).update();
    database.sql("create publication " + name + " for table outbox").update();
  }

  void makeSlot(String slot) {
    database.sql(MAKE_SLOT).param("slot", slot).query().singleRow();
    database.sql(START_AT_SLOT).param("slot", slot).update();
  }

  /** False when somebody streams from it. */
  boolean dropSlot(String slot) {
    return !database.sql(DROP_SLOT).param("slot", slot).query().listOfRows().isEmpty();
  }

  /** Only the debt that was paid: a leader that woke up late must not cancel a newer one. */
  void replayDone(Instant since, Instant until) {
    database.sql(REPLAY_DONE).param("since", utc(since)).param("until", utc(until)).update();
  }

  Instant now() {
    return database.sql("select now()").query(OffsetDateTime.class).single().toInstant();
  }

  void heartbeat(String prefix) {
    database.sql(HEARTBEAT).param("prefix", prefix).query().singleRow();
  }

  /** True the first time, false when the same message was set aside before. */
  boolean setAside(String lsn, String reason, String detail, byte[] content) {
    return database
            .sql(SET_ASIDE)
            .param("lsn", lsn)
            .param("reason", reason)
            .param("detail", detail)
            .param("content", content)
            .update()
        == 1;
  }

  /** {@link Instant#MIN} is PostgreSQL's -infinity. */
  static OffsetDateTime utc(Instant time) {
    return time.equals(Instant.MIN) ? OffsetDateTime.MIN : time.atOffset(ZoneOffset.UTC);
  }

  private static @Nullable Instant time(ResultSet row, String column) throws SQLException {
    var time = row.getObject(column, OffsetDateTime.class);
    if (time == null) {
      return null;
    }
    return time.equals(OffsetDateTime.MIN) ? Instant.MIN : time.toInstant();
  }
}
