package dev.sluice.bench.part;

import dev.sluice.bench.stack.IngestClient;
import dev.sluice.bench.stack.Servers;
import dev.sluice.bench.stack.ServiceProcess;
import dev.sluice.bench.stack.Tables;
import dev.sluice.servers.LocalTemporal;
import java.util.Map;

/** The services as processes of their own: what the way in over HTTP gives, what each costs. */
final class ServicesPart implements Part {
  static final int WORKSPACES = 500;
  static final int CALLERS = 32;

  /** Slots belong to the server, not to the database. */
  private static final String SLOT = "--sluice.recovery.relay.slot=bench_services";

  static String workspace(int n) {
    return "w" + n % WORKSPACES;
  }

  @Override
  public void run(Bench bench) throws InterruptedException {
    Servers servers = bench.servers();
    try (var temporal = LocalTemporal.inMemory(0);
        Tables tables = servers.tables()) {
      tables.workspaces("w", WORKSPACES, 1_000_000);
      tables.analyze();
      try (var ingest = ServiceProcess.start("ingest", servers, tables, temporal.address());
          var client = new IngestClient(ingest.address())) {
        IngestSeries.run(bench, client);
        try (var dispatcher =
                ServiceProcess.start("dispatcher", servers, tables, temporal.address());
            var recovery =
                ServiceProcess.start("recovery", servers, tables, temporal.address(), SLOT)) {
          new ServiceCosts(
                  client,
                  tables,
                  temporal.address(),
                  Map.of("ingest", ingest, "dispatcher", dispatcher, "recovery", recovery))
              .run(bench);
        }
      }
    }
  }
}
