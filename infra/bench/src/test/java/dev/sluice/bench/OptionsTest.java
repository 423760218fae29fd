package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bench.part.Part;
import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {
  @Test
  void withoutANameItIsTheQuickOne() {
    var options = Options.parse(List.of());
    assertThat(options.name()).isEqualTo("quick");
    assertThat(options.quick()).isTrue();
    assertThat(options.guard()).isFalse();
    assertThat(options.parts()).isEqualTo(Options.QUICK);
  }

  @Test
  void allIsEveryPart() {
    assertThat(Options.parse(List.of("all")).parts()).isEqualTo(Options.ALL);
    assertThat(Options.parse(List.of("all", "--guard")).guard()).isTrue();
  }

  @Test
  void everyPartHasAMeasurement() {
    assertThat(Options.ALL).containsAll(Options.QUICK).allSatisfy(name -> Part.named(name));
  }

  @Test
  void oneCanBeRunAlone() {
    assertThat(Options.parse(List.of("backlog")).parts()).containsExactly("backlog");
  }

  @Test
  void whatIsNotThereIsRefusedWithASentence() {
    assertThatThrownBy(() -> Options.parse(List.of("fast")))
        .isInstanceOf(Options.Wrong.class)
        .hasMessageContaining("no benchmark fast");
    assertThatThrownBy(() -> Options.parse(List.of("quick", "--speed")))
        .hasMessageContaining("--speed");
  }
}
