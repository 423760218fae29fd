package dev.sluice.ingest;

import dev.sluice.operate.Check;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where PostgreSQL is.
 *
 * @param connections of the pool; a query takes a millisecond, so few serve many, but the migration
 *     needs two
 */
@ConfigurationProperties("sluice.database")
public record DatabaseSettings(
    @DefaultValue("jdbc:postgresql://127.0.0.1:15432/sluice") String url,
    @DefaultValue("sluice") String user,
    @DefaultValue("sluice") String password,
    @DefaultValue("10") int connections) {
  public DatabaseSettings {
    Check.within("sluice.database.connections", connections, 2, 500, "10");
    Check.notBlank("DATABASE_URL", url, "jdbc:postgresql://127.0.0.1:15432/sluice");
    Check.notBlank("DATABASE_USER", user, "sluice");
  }

  /** Never the password. */
  @Override
  public String toString() {
    return "DatabaseSettings[url=%s, user=%s, connections=%d]".formatted(url, user, connections);
  }
}
