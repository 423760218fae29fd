package dev.sluice.dispatcher.ledger;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What makes the limits hold: whoever changes how many slots a workspace holds has its row locked.
 * Partitions make sure that nobody has to wait for it; this makes sure that it is right when two
 * dispatchers believe they own a workspace.
 */
public final class WorkspaceLock {
  /**
   * In order of the key, so that two batches can never wait for each other; and after them, where
   * there is a cap on all workspaces together, the one lock for that.
   */
  private static final String LOCK =
      """
      with locked as materialized (
        select id from workspace where id = any(?::text[]) order by id for no key update
      ), counted as materialized (
        select count(*) as n from locked
      ), capped as materialized (
        select pg_advisory_xact_lock(7305814) from system_limit, counted where concurrency_limit is not null and n > 0
      )
      select id from locked, (select count(*) from capped) everywhere
      """;

  private final JdbcTemplate jdbc;

  public WorkspaceLock(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  /** Until the transaction ends. Answers those that exist. */
  public Set<String> lock(Collection<String> workspaceIds) {
    return new HashSet<>(
        jdbc.queryForList(LOCK, String.class, Columns.of(List.copyOf(workspaceIds), w -> w)));
  }
}
