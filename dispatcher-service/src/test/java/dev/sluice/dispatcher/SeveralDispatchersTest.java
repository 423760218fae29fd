package dev.sluice.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.servers.TestStack;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dispatchers come and go under load, and nobody notices. */
class SeveralDispatchersTest {
  private static final int WORKSPACES = 8;
  private static final int REQUESTS = 12;
  private static final int LIMIT = 5;

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  @Tag("Q2")
  @Tag("Q18")
  void workGoesOnInOrderAndWithinItsLimitsFromOneToThreeAndBack(String groupProtocol) {
    String protocol = "--sluice.intake.group-protocol=" + groupProtocol;
    TestStack stack = TestStack.shared();
    Sluice sluice =
        Sluice.on(
            stack.anotherKafka().bootstrapServers(), stack.freshDatabase("several"), protocol);
    var requests = new HashMap<String, List<UUID>>();
    for (int i = 0; i < WORKSPACES; i++) {
      requests.put(sluice.workspace("PRO"), new ArrayList<>());
    }

    enqueue(sluice, requests);
    var second = sluice.startDispatcher(protocol);
    enqueue(sluice, requests);
    var third = sluice.startDispatcher(protocol);
    enqueue(sluice, requests);
    second.close();
    enqueue(sluice, requests);
    third.close();

    for (List<UUID> ids : requests.values()) {
      ids.forEach(id -> sluice.awaitStatus(id, "COMPLETED"));
      List<Sluice.Span> spans = ids.stream().map(sluice::span).toList();
      assertThat(sluice.mostOpenAtOnce(ids)).isLessThanOrEqualTo(LIMIT);
      assertThat(spans).isSortedAccordingTo(Comparator.comparing(Sluice.Span::start));
    }
    sluice.stop();
  }

  private static void enqueue(Sluice sluice, Map<String, List<UUID>> requests) {
    for (int i = 0; i < REQUESTS; i++) {
      requests.forEach((ws, ids) -> ids.add(sluice.enqueue(ws, "{\"sleepMs\":50}")));
    }
  }
}
