package dev.sluice.ingest.catalogue;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class PlanRepository {
  private static final String PUT =
      """
      insert into plan (id, concurrency_limit, weight) values (:id, :limit, :weight)
      on conflict (id) do update
        set concurrency_limit = excluded.concurrency_limit, weight = excluded.weight, updated_at = now()
      """;

  private static final String ALL =
      "select id, concurrency_limit, weight from plan order by concurrency_limit, id";

  /** Other PUTs of the same plan wait here. */
  private static final String LOCK =
      "select id, concurrency_limit, weight from plan where id = :id for update";

  private final JdbcClient jdbc;

  PlanRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void put(Plan plan) {
    jdbc.sql(PUT)
        .param("id", plan.id())
        .param("limit", plan.limit())
        .param("weight", plan.weight())
        .update();
  }

  List<Plan> all() {
    return jdbc.sql(ALL).query((rs, n) -> plan(rs)).list();
  }

  Optional<Plan> locked(String id) {
    return jdbc.sql(LOCK).param("id", id).query((rs, n) -> plan(rs)).optional();
  }

  private static Plan plan(ResultSet rs) throws SQLException {
    return new Plan(rs.getString("id"), rs.getInt("concurrency_limit"), rs.getInt("weight"));
  }
}
