package dev.sluice.local;

import java.util.Map;
import java.util.Optional;

/** Servers that are there already, named in the environment. */
record GivenServers(
    Optional<String> kafka,
    Optional<String> databaseUrl,
    String databaseUser,
    String databasePassword,
    Optional<String> temporal,
    String temporalNamespace) {

  static GivenServers from(Map<String, String> environment) {
    return new GivenServers(
        set(environment, "KAFKA_BOOTSTRAP_SERVERS"),
        set(environment, "DATABASE_URL"),
        set(environment, "DATABASE_USER").orElse("sluice"),
        set(environment, "DATABASE_PASSWORD").orElse("sluice"),
        set(environment, "TEMPORAL_ADDRESS"),
        set(environment, "TEMPORAL_NAMESPACE").orElse("default"));
  }

  private static Optional<String> set(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }
}
