package dev.sluice.local;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import dev.sluice.servers.Folders;
import java.nio.file.Path;
import java.util.Map;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Sends every log into files of the data folder; logback.xml reads what is set here. */
final class Logs {
  private Logs() {}

  /** Must come before the first logger is made. */
  static Path into(Path data, boolean consoleToo) {
    Path logs = Folders.writable(data.resolve("logs"));
    System.setProperty("sluice.logs", logs.toString());
    System.setProperty("sluice.console.level", consoleToo ? "INFO" : "OFF");
    // Each of the contexts would set up logging anew, and the first to stop would switch it off.
    System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    return logs.resolve("sluice.log");
  }

  /** The levels that a service sets for itself hold here too: some keep payloads out of the log. */
  static void apply(Environment service) {
    var loggers = (LoggerContext) LoggerFactory.getILoggerFactory();
    Binder.get(service)
        .bind("logging.level", Bindable.mapOf(String.class, String.class))
        .orElse(Map.of())
        .forEach((name, level) -> loggers.getLogger(name).setLevel(Level.toLevel(level)));
  }
}
