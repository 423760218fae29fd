package dev.sluice.ingest.catalogue;

import java.sql.Types;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The rows that hold for all workspaces: maintenance, and the limit of all together. */
@Repository
class SystemRepository {
  /** Each count names a gate, so that each has a partial index. */
  private static final String MAINTENANCE =
      """
      select mode, generation,
             (select count(*) from workflow_execution where status = 'RUNNING') as held,
             (select count(*) from workflow_execution_queue where state = 'PENDING' and gate = 'ready')
             + (select count(*) from workflow_execution_queue where state = 'PENDING' and gate = 'delayed')
             + (select count(*) from workflow_execution_queue
                 where state = 'PENDING' and gate = 'parked' and parked_on = 'partition')
             + (select count(*) from workflow_execution_queue
                 where state = 'PENDING' and gate = 'parked' and parked_on = 'definition')
             + (select count(*) from workflow_execution_queue
                 where state = 'PENDING' and gate = 'parked' and parked_on = 'limit')
             + (select count(*) from workflow_execution_queue
                 where state = 'PENDING' and gate = 'parked' and parked_on = 'paused') as waiting
        from maintenance
      """;

  private static final String LOCK_MODE = "select mode from maintenance for update";

  private static final String SET_MODE =
      """
      update maintenance
         set mode = :mode, changed_at = now(),
             generation = generation + case when :mode = 'normal' then 1 else 0 end
       where mode <> :mode
      """;

  private static final String LIMIT =
      """
      select concurrency_limit, (select count(*) from workflow_execution where status = 'RUNNING') as held
        from system_limit
      """;

  private static final String LOCK_LIMIT = "select concurrency_limit from system_limit for update";

  private static final String SET_LIMIT =
      "update system_limit set concurrency_limit = :limit, changed_at = now()";

  private final JdbcClient jdbc;

  SystemRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  Maintenance maintenance() {
    return jdbc.sql(MAINTENANCE)
        .query(
            (rs, n) -> {
              var mode = Maintenance.Mode.of(rs.getString("mode")).orElseThrow();
              long held = rs.getLong("held");
              return new Maintenance(
                  mode,
                  rs.getInt("generation"),
                  mode != Maintenance.Mode.NORMAL && held == 0,
                  held,
                  rs.getLong("waiting"));
            })
        .single();
  }

  /** Others who want to change it wait here. */
  String lockedMode() {
    return jdbc.sql(LOCK_MODE).query(String.class).single();
  }

  void setMode(Maintenance.Mode mode) {
    jdbc.sql(SET_MODE).param("mode", mode.text()).update();
  }

  SystemLimit limit() {
    return jdbc.sql(LIMIT)
        .query(
            (rs, n) ->
                new SystemLimit(
                    rs.getObject("concurrency_limit", Integer.class), rs.getLong("held")))
        .single();
  }

  /** Others who want to change it wait here. */
  Optional<Integer> lockedLimit() {
    return Optional.ofNullable(
        jdbc.sql(LOCK_LIMIT)
            .query((rs, n) -> new SystemLimit(rs.getObject(1, Integer.class), 0))
            .single()
            .limit());
  }

  void setLimit(@Nullable Integer limit) {
    jdbc.sql(SET_LIMIT).param("limit", limit, Types.INTEGER).update();
  }
}
