package dev.sluice.chaos.stack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Commands that run a class of this class path in a JVM of its own. */
final class Jvm {
  private Jvm() {}

  static List<String> service(String mainClass, List<String> arguments) {
    return command(List.of("-Xmx256m"), mainClass, arguments);
  }

  static List<String> server(String mainClass, List<String> arguments) {
    return command(
        List.of("-Xmx256m", "-Dlogback.configurationFile=chaos-logback.xml", "-Dchaos.level=WARN"),
        mainClass,
        arguments);
  }

  private static List<String> command(List<String> flags, String mainClass, List<String> rest) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            // A killed process must be back soon, and lives too short to profit from more.
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            System.getProperty("java.class.path"),
            mainClass));
    command.addAll(rest);
    return command;
  }
}
