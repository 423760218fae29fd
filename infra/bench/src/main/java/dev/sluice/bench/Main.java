package dev.sluice.bench;

import dev.sluice.bench.part.Bench;
import dev.sluice.bench.part.Part;
import dev.sluice.bench.report.JsonReport;
import dev.sluice.bench.report.Machine;
import dev.sluice.bench.report.Row;
import dev.sluice.bench.report.Rows;
import dev.sluice.bench.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.slf4j.LoggerFactory;

/**
 * {@code ./sluice bench}: exit code 0 when everything was measured, 1 when a part broke off or
 * {@code --guard} found a row far off, 2 when it cannot run.
 */
public final class Main {
  private static final Path RESULTS = Path.of("target", "bench");

  private Main() {}

  public static void main(String[] arguments) {
    System.setProperty("logback.configurationFile", "bench-logback.xml");
    System.exit(run(List.of(arguments)));
  }

  private static int run(List<String> arguments) {
    try {
      Options options = Options.parse(arguments);
      if (options.help()) {
        System.out.print(Options.USAGE);
        return 0;
      }
      return measure(options);
    } catch (Options.Wrong e) {
      System.err.println("sluice: " + e.getMessage());
      return 2;
    } catch (IOException e) {
      System.err.println("sluice: " + e.getMessage());
      return 2;
    }
  }

  private static int measure(Options options) throws IOException {
    var console = new Console(System.out);
    var rows = new Rows();
    Map<String, Object> machine = Machine.describe();
    machine.put("loadAtStart", Machine.load());
    boolean complete = runParts(options, console, rows);
    machine.put("loadAtEnd", Machine.load());
    Path file = JsonReport.write(RESULTS, options.name(), machine, rows.all());
    System.out.printf("%n%s, %s cores, %s%n", machine.get("cpu"), machine.get("cores"), file);
    System.out.println(machine.get("versions"));
    System.out.print(Table.of(rows.all()));
    boolean guarded = !options.guard() || holds(rows);
    return complete && guarded ? 0 : 1;
  }

  private static boolean holds(Rows rows) {
    for (Row row : rows.farOff()) {
      System.out.printf("%s is far worse than it has been, in every run%n", row.name());
    }
    return rows.farOff().isEmpty();
  }

  /** What was measured before a part broke off is still shown. */
  private static boolean runParts(Options options, Console console, Rows rows) {
    var bench = new Bench(console, rows, options.quick());
    var stop = new Thread(bench::close, "bench-stop");
    Runtime.getRuntime().addShutdownHook(stop);
    boolean complete = true;
    try (bench) {
      for (String name : options.parts()) {
        console.say("-- %s", name);
        try {
          Part.named(name).run(bench);
        } catch (Exception | LinkageError e) { // the latter when the jar is built anew meanwhile
          complete = false;
          console.say("%s broke off: %s", name, e);
          LoggerFactory.getLogger(Main.class).error("{} broke off", name, e);
        }
      }
    }
    Runtime.getRuntime().removeShutdownHook(stop);
    return complete;
  }
}
