package dev.sluice.worker;

import dev.sluice.servers.LocalTemporal;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.context.ConfigurableApplicationContext;

class InMemoryTemporalTest extends GraphWorkflowContract {
  /** The in-memory server never takes a step back from a worker that is gone. */
  private static final String NOT_STICKY = "--sluice.worker.sticky-timeout=PT0S";

  private static LocalTemporal temporal;
  private static ConfigurableApplicationContext worker;

  @BeforeAll
  static void start() {
    temporal = LocalTemporal.inMemory(0);
    worker = start(temporal.address(), NOT_STICKY);
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
    worker = start(temporal.address(), NOT_STICKY);
  }
}
