package dev.sluice.schema;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** Brings a database to the schema of this version. Safe to run from many processes at once. */
public final class Schema {
  public static final String LOCATION = "classpath:db/migration";

  private Schema() {}

  public static void migrate(DataSource database) {
    Flyway.configure(Schema.class.getClassLoader())
        .dataSource(database)
        .locations(LOCATION)
        .load()
        .migrate();
  }
}
