package dev.sluice.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.dispatcher.start.StartQueue;
import dev.sluice.servers.TestStack;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ShortLocksTest {
  /** Temporal is a port here that takes connections and never answers: the start is under way. */
  @Test
  @Tag("Q3")
  void noRowIsLockedWhileTemporalIsAsked() throws IOException {
    TestStack stack = TestStack.shared();
    try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Sluice sluice =
          Sluice.on(
              stack.anotherKafka().bootstrapServers(),
              stack.freshDatabase("locks"),
              "--sluice.temporal.address=127.0.0.1:" + silent.getLocalPort(),
              "--sluice.start.call-timeout=3s");
      String ws = sluice.workspace("FREE");
      UUID id = sluice.enqueue(ws, "{}");
      sluice.awaitState(id, "CLAIMED");

      assertThat(sluice.bean(StartQueue.class).has(id)).as("is on its way").isTrue();
      assertThat(locked(sluice, "workspace", ws)).isEqualTo(1);
      assertThat(locked(sluice, "workflow_execution_queue", id)).isEqualTo(1);
      assertThat(locked(sluice, "workflow_execution", id)).isEqualTo(1);
      sluice.stop();
    }
  }

  /** Fails where somebody else has it. */
  private static int locked(Sluice sluice, String table, Object id) {
    return sluice
        .jdbc()
        .sql("select 1 from %s where id = ? for update nowait".formatted(table))
        .param(id)
        .query(Integer.class)
        .list()
        .size();
  }
}
