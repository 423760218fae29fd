package dev.sluice.worker;

import dev.sluice.servers.LocalTemporal;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

class RealTemporalTest extends GraphWorkflowContract {
  private static LocalTemporal temporal;
  private static ConfigurableApplicationContext worker;

  @BeforeAll
  static void start(@TempDir Path folder) {
    var cli = LocalTemporal.findCli();
    Assumptions.assumeTrue(cli.isPresent(), "no temporal CLI is found");
    temporal = LocalTemporal.server(cli.get(), folder.resolve("temporal.db"), 0);
    worker = start(temporal.address());
  }

  @AfterAll
  static void stop() {
    if (worker != null) {
      worker.close();
      temporal.close();
    }
  }

  @Override
  ConfigurableApplicationContext worker() {
    return worker;
  }

  @Override
  void restartWorker() {
    worker.close();
    worker = start(temporal.address());
  }
}
