package dev.sluice.dispatcher;

import dev.sluice.operate.Check;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * @param connections the pipeline, the consumer threads, the waker and the takeover need one each
 */
@ConfigurationProperties("sluice.database")
record DatabaseSettings(String url, String user, String password, int connections) {
  DatabaseSettings {
    Check.atLeast("sluice.database.connections", connections, 4, "8");
    Check.notBlank("DATABASE_URL", url, "jdbc:postgresql://127.0.0.1:15432/sluice");
    Check.notBlank("DATABASE_USER", user, "sluice");
  }

  @Override
  public String toString() {
    return "DatabaseSettings[url=" + url + ", user=" + user + "]";
  }
}
