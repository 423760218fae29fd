package dev.sluice.bench.part;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bench.part.BacklogPart.Wave;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class BacklogPartTest {
  @Test
  void wavesCountByWhatOthersTookNotByHowFastTheyWere() {
    var waves = new ArrayList<>(Collections.nCopies(7, new Wave(9, 0)));
    waves.add(0, new Wave(1, 0.3));
    waves.add(new Wave(2, 0.2));
    assertThat(BacklogPart.secondsOfQuietest(waves)).hasSize(8).contains(2.0).doesNotContain(1.0);
  }

  @Test
  void moreAreSentUntilEnoughWereQuietButNotForEver() {
    List<Wave> quiet = Collections.nCopies(8, new Wave(1, 0.02));
    List<Wave> disturbed = Collections.nCopies(24, new Wave(1, 0.2));
    assertThat(BacklogPart.isEnough(quiet.subList(0, 7))).isFalse();
    assertThat(BacklogPart.isEnough(quiet)).isTrue();
    assertThat(BacklogPart.isEnough(disturbed.subList(0, 23))).isFalse();
    assertThat(BacklogPart.isEnough(disturbed)).isTrue();
  }
}
