package dev.sluice.recovery.connect;

import dev.sluice.operate.Check;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Where PostgreSQL is. The user needs the REPLICATION right, and CREATE on the database. */
@ConfigurationProperties("sluice.database")
public record DatabaseSettings(
    @DefaultValue("jdbc:postgresql://127.0.0.1:15432/sluice") String url,
    @DefaultValue("sluice") String user,
    @DefaultValue("sluice") String password,
    @DefaultValue("6") int connections) {

  public DatabaseSettings {
    Check.within("sluice.database.connections", connections, 2, 100, "6");
    Check.notBlank("DATABASE_URL", url, "jdbc:postgresql://127.0.0.1:15432/sluice");
    Check.notBlank("DATABASE_USER", user, "sluice");
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "DatabaseSettings[url=" + url + ", user=" + user + "]";
  }
}
