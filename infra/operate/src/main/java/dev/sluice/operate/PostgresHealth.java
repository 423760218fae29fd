package dev.sluice.operate;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Without PostgreSQL nothing can be checked, kept or shown. */
public final class PostgresHealth implements HealthIndicator {
  private static final int PATIENCE_SECONDS = 2;

  private final DataSource database;

  public PostgresHealth(DataSource database) {
    this.database = database;
  }

  @Override
  public Health health() {
    try (Connection connection = database.getConnection()) {
      return connection.isValid(PATIENCE_SECONDS) ? Health.up().build() : Away.stops("PostgreSQL");
    } catch (SQLException e) {
      return Away.stops("PostgreSQL");
    }
  }
}
