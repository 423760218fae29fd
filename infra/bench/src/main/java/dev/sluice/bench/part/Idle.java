package dev.sluice.bench.part;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.bench.stack.CpuTime;
import dev.sluice.bench.stack.Dispatcher;
import dev.sluice.bench.stack.Requests;
import dev.sluice.bench.stack.StartProbe;
import dev.sluice.bench.stack.Tables;
import dev.sluice.servers.LocalTemporal;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.sql.DataSource;

/** A dispatcher that has started some workflows and has nothing more to do. */
final class Idle {
  private Idle() {}

  /** How it talks to PostgreSQL. */
  static HikariConfig pool(Bench bench) {
    return with(
        bench,
        dispatcher -> {
          var pool = new HikariConfig();
          ((HikariDataSource) dispatcher.part(DataSource.class)).copyStateTo(pool);
          return pool;
        });
  }

  /** How many cores it keeps busy: it listens for closes, polls, beats and sweeps. */
  static double cores(Bench bench) {
    return with(
        bench,
        dispatcher -> {
          sleep(2);
          double cpu = CpuTime.seconds();
          long began = System.nanoTime();
          sleep(3);
          return (CpuTime.seconds() - cpu) / ((System.nanoTime() - began) / 1e9);
        });
  }

  private static <T> T with(Bench bench, Function<Dispatcher, T> look) {
    try (var temporal = LocalTemporal.inMemory(0);
        Tables tables = bench.servers().tables();
        Requests requests = new Requests(bench.servers().kafka())) {
      tables.workspaces("w", DispatchRound.WORKSPACES, 1_000_000);
      tables.analyze();
      try (var dispatcher =
          new Dispatcher(
              bench.servers().kafka(), tables, temporal.address(), new StartProbe(false))) {
        DispatchRound.warmUp(dispatcher, requests);
        return look.apply(dispatcher);
      }
    }
  }

  private static void sleep(int seconds) {
    try {
      TimeUnit.SECONDS.sleep(seconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
