package dev.sluice.dispatcher.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PartsTest {
  private static final int LARGE = 1000;

  /** Of the workspace {@code n % 100}. */
  private record One(int n) {
    String workspace() {
      return "w" + n % 100;
    }
  }

  private final List<List<One>> seen = Collections.synchronizedList(new ArrayList<>());

  private static List<One> batch(int size) {
    return IntStream.range(0, size).mapToObj(One::new).toList();
  }

  @Test
  void aSmallBatchStaysWhole() throws InterruptedException {
    new Parts(2).each(batch(256), One::workspace, seen::add);
    assertThat(seen).containsExactly(batch(256));
  }

  @Test
  void aWorkspaceIsInOnePartAndInOrder() throws InterruptedException {
    new Parts(2).each(batch(LARGE), One::workspace, seen::add);
    assertThat(seen).hasSize(4);
    assertThat(seen.stream().flatMap(List::stream)).hasSize(LARGE).doesNotHaveDuplicates();
    for (int w = 0; w < 100; w++) {
      String workspace = "w" + w;
      var holding =
          seen.stream().filter(p -> p.stream().anyMatch(o -> o.workspace().equals(workspace)));
      assertThat(holding).as(workspace).hasSize(1);
    }
    assertThat(seen)
        .allSatisfy(part -> assertThat(part).isSortedAccordingTo((a, b) -> a.n() - b.n()));
  }

  @Test
  @Timeout(10)
  void twoPartsGoSideBySide() throws InterruptedException {
    var both = new CyclicBarrier(2); // nobody passes alone
    new Parts(2)
        .each(
            batch(LARGE),
            One::workspace,
            part -> {
              try {
                both.await(5, TimeUnit.SECONDS);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
              seen.add(part);
            });
    assertThat(seen).hasSize(4);
  }

  @Test
  void whereOneFailsTheOthersAreDone() {
    assertThatThrownBy(
            () ->
                new Parts(2)
                    .each(
                        batch(LARGE),
                        One::workspace,
                        part -> {
                          if (part.contains(new One(0))) {
                            throw new IllegalStateException("no answer");
                          }
                          seen.add(part);
                        }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no answer");
    assertThat(seen).hasSize(3);
  }
}
