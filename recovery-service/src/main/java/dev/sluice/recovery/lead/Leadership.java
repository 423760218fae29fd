package dev.sluice.recovery.lead;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One instance leads: the one whose connection holds PostgreSQL's advisory lock. The lock goes with
 * the connection, and the server ends a connection that is silent too long, so neither a killed nor
 * a frozen leader keeps it. Two who both believe they lead cannot both stream: the replication slot
 * has one reader.
 */
public final class Leadership implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Leadership.class);
  private static final String APPLICATION = "sluice-recovery ";

  /** Of this database's own: advisory locks do not reach into other databases. */
  private static final long LOCK = 0x736c75696365_4CL;

  private static final String TAKE = "select pg_try_advisory_lock(" + LOCK + ")";
  private static final String STILL_THERE = "select 1";
  private static final String WHO_LEADS =
      """
      select a.application_name
        from pg_locks l join pg_stat_activity a using (pid)
       where l.locktype = 'advisory' and l.granted and l.database = a.datid and a.datname = current_database()
         and (l.classid::bigint << 32 | l.objid::bigint) = ?
      """;

  /** What a round found. */
  public enum Round {
    TOOK_THE_LEAD,
    LEADS,
    STANDS_BY,
    LOST_THE_LEAD
  }

  private final String url;
  private final Properties login;
  private final String instance;
  private @Nullable Connection connection;
  private volatile boolean held;
  private volatile @Nullable String leader;

  public Leadership(String url, String user, String password, LeadSettings settings) {
    this.url = url;
    this.instance = settings.instance();
    login = new Properties();
    login.put("user", user);
    login.put("password", password);
    login.put("ApplicationName", shortened(APPLICATION + instance));
    login.put("connectTimeout", "3");
    login.put("socketTimeout", Long.toString(Math.max(1, settings.silence().toSeconds() - 1)));
    login.put("options", "-c idle_session_timeout=" + settings.silence().toMillis() + "ms");
  }

  /** A server that cannot be reached is an exception; whoever led does not lead any more. */
  public synchronized Round runOnce() throws SQLException {
    boolean before = held;
    try {
      held = before ? stillThere() : take();
    } catch (SQLException e) {
      drop();
      if (before) {
        log.atWarn().addKeyValue("instance", instance).setCause(e).log("lost the lead");
        return Round.LOST_THE_LEAD;
      }
      throw e;
    }
    if (held && !before) {
      log.atInfo().addKeyValue("instance", instance).log("took the lead");
      return Round.TOOK_THE_LEAD;
    }
    return held ? Round.LEADS : Round.STANDS_BY;
  }

  private boolean stillThere() throws SQLException {
    try (var statement = connected().createStatement()) {
      return statement.execute(STILL_THERE);
    }
  }

  private boolean take() throws SQLException {
    try (var statement = connected().createStatement();
        var answer = statement.executeQuery(TAKE)) {
      boolean taken = answer.next() && answer.getBoolean(1);
      leader = taken ? instance : whoLeads();
      return taken;
    }
  }

  private @Nullable String whoLeads() throws SQLException {
    try (PreparedStatement statement = connected().prepareStatement(WHO_LEADS)) {
      statement.setLong(1, LOCK);
      try (var answer = statement.executeQuery()) {
        return answer.next() ? nameOf(answer.getString(1)) : null;
      }
    }
  }

  private static String nameOf(String application) {
    return application.startsWith(APPLICATION)
        ? application.substring(APPLICATION.length())
        : application;
  }

  private Connection connected() throws SQLException {
    Connection open = connection;
    if (open == null) {
      open = DriverManager.getConnection(url, login);
      connection = open;
    }
    return open;
  }

  private void drop() {
    held = false;
    leader = null;
    Connection open = connection;
    connection = null;
    if (open == null) {
      return;
    }
    try {
      open.close();
    } catch (SQLException e) {
      log.atDebug().setCause(e).log("the leader's connection was gone already");
    }
  }

  public boolean held() {
    return held;
  }

  public String instance() {
    return instance;
  }

  /** Empty while nobody leads, or the database cannot be asked. */
  public Optional<String> leader() {
    return Optional.ofNullable(leader);
  }

  /** Lets the next one have it at once. */
  @Override
  public synchronized void close() {
    drop();
  }

  /** PostgreSQL cuts names at 63 bytes, with a notice each time. */
  private static String shortened(String name) {
    return name.length() <= 63 ? name : name.substring(0, 63);
  }
}
