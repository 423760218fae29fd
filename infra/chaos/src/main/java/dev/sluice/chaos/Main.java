package dev.sluice.chaos;

import dev.sluice.chaos.fault.FaultKind;
import dev.sluice.chaos.judge.Verdict;
import dev.sluice.chaos.stack.Stack;
import dev.sluice.servers.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.LoggerFactory;

/** {@code ./sluice chaos}: exit code 0 when everything held, 1 when not, 2 when it cannot run. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.setProperty("logback.configurationFile", "chaos-logback.xml");
    System.exit(run(List.of(arguments)));
  }

  private static int run(List<String> arguments) {
    try {
      Options options = Options.parse(arguments);
      if (options.help()) {
        System.out.print(Options.USAGE);
        return 0;
      }
      return run(options);
    } catch (Options.Wrong e) {
      System.err.println("sluice: " + e.getMessage());
      return 2;
    } catch (IOException e) {
      System.err.println("sluice: no folder for the data: " + e.getMessage());
      return 2;
    }
  }

  private static int run(Options options) throws IOException {
    Path folder = folder(options);
    var console = new Console(System.out);
    console.say(
        "seed %d, %s, group protocol %s, data and logs in %s"
            .formatted(options.seed(), options.scenario(), options.protocol(), folder));
    var stack = new Stack(folder, options.protocol(), (options.seed() / 2) % 2 == 0);
    var stop = new Thread(stack::close, "chaos-stop");
    Runtime.getRuntime().addShutdownHook(stop);
    long seed = options.seed();
    double rate = options.rate();
    Verdict verdict;
    try (stack) {
      verdict =
          switch (options.scenario()) {
            case CHAOS -> ChaosRun.of(stack, console, seed, rate).runFor(options.minutes());
            case SHORT ->
                ChaosRun.brief(stack, console, seed, rate).runFaults(FaultKind.SHORT.size());
            case FAILOVER -> ChaosRun.ofKills(stack, console, seed, rate).runFaults(ChaosRun.KILLS);
            case OUTAGE -> new OutageRun(stack, console).run();
          };
    } catch (RuntimeException | IOException e) {
      console.say("the run broke off, which is a failure");
      LoggerFactory.getLogger(Main.class).error("broken off", e);
      return 1;
    }
    Runtime.getRuntime().removeShutdownHook(stop);
    System.out.println();
    System.out.println("seed %d, group protocol %s".formatted(options.seed(), options.protocol()));
    System.out.print(verdict);
    if (verdict.isGood() && options.data().isEmpty()) {
      Folders.delete(folder);
    }
    return verdict.isGood() ? 0 : 1;
  }

  private static Path folder(Options options) throws IOException {
    return options.data().isPresent()
        ? Files.createDirectories(options.data().get()).toAbsolutePath()
        : Files.createTempDirectory("sluice-chaos-");
  }
}
