package dev.sluice.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Main in a JVM of its own, on any free ports. */
record LocalProcess(Process process, Path out) {
  static LocalProcess start(Path out, String command, Path data) throws Exception {
    return start(out, command, data, Map.of());
  }

  static LocalProcess start(Path out, String command, Path data, Map<String, String> settings)
      throws Exception {
    var builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            command,
            "--data",
            data.toString());
    for (Part part : Part.values()) {
      builder.command().add(part.portOption());
      builder.command().add("0");
    }
    for (String given :
        new String[] {"KAFKA_BOOTSTRAP_SERVERS", "DATABASE_URL", "TEMPORAL_ADDRESS"}) {
      builder.environment().remove(given);
    }
    builder.environment().putAll(settings);
    return new LocalProcess(
        builder.redirectErrorStream(true).redirectOutput(out.toFile()).start(), out);
  }

  String awaitReady() throws Exception {
    for (int tries = 0; tries < 3000; tries++) {
      var ready = output().lines().filter(line -> line.startsWith("ready ")).findFirst();
      if (ready.isPresent()) {
        return ready.get();
      }
      assertThat(process.waitFor(100, TimeUnit.MILLISECONDS)).as(output()).isFalse();
    }
    throw new AssertionError("not ready: " + output());
  }

  /** Where a part is, as the line that says ready tells. */
  static String address(String ready, String part) {
    Matcher matcher = Pattern.compile(part + "=(\\S+)").matcher(ready);
    assertThat(matcher.find()).as(part + " in " + ready).isTrue();
    return matcher.group(1);
  }

  String output() throws Exception {
    return Files.readString(out);
  }

  int exitCode() throws Exception {
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(output()).isTrue();
    return process.exitValue();
  }

  void terminate() {
    process.destroy();
  }

  void kill() throws Exception {
    process.destroyForcibly().waitFor();
  }
}
