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
import javax.sql.DataSource;

/**
 * A dispatcher that has started some workflows and has nothing more to do.
 *
 * @param cores that it keeps busy: it listens for closes, polls, beats and sweeps
 * @param pool how it talks to PostgreSQL
 */
record Idle(double cores, HikariConfig pool) {
  static Idle dispatcher(Bench bench) throws InterruptedException {
    try (var temporal = LocalTemporal.inMemory(0);
        Tables tables = bench.servers().tables();
        Requests requests = new Requests(bench.servers())) {
      tables.workspaces("w", DispatchRound.WORKSPACES, 1_000_000);
      tables.analyze();
      try (var dispatcher =
          new Dispatcher(bench.servers(), tables, temporal.address(), new StartProbe(false))) {
        DispatchRound.warmUp(dispatcher, requests);
        TimeUnit.SECONDS.sleep(2);
        double cpu = CpuTime.seconds();
        long began = System.nanoTime();
        TimeUnit.SECONDS.sleep(3);
        double cores = (CpuTime.seconds() - cpu) / ((System.nanoTime() - began) / 1e9);
        var pool = new HikariConfig();
        ((HikariDataSource) dispatcher.part(DataSource.class)).copyStateTo(pool);
        return new Idle(cores, pool);
      }
    }
  }
}
