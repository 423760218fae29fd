package dev.sluice.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.unit.DataSize;

/** Every setting of every service, with values it cannot have: the user reads one sentence. */
@Tag("Q21")
@Tag("T6")
class BadSettingsTest {
  /** Any text will do for these. */
  private static final Set<String> FREE_TEXT =
      Set.of(
          "sluice.database.password", "sluice.callbacks.secret", "sluice.recovery.lead.instance");

  private static final Map<String, String> BAD_TEXT =
      Map.of(
          "sluice.temporal.address", "nonsense",
          "sluice.intake.group-protocol", "nonsense",
          "sluice.callbacks.url", "nonsense",
          "sluice.recovery.relay.slot", "No-Name",
          "sluice.recovery.relay.publication", "No-Name",
          "sluice.graph.node-types", "a b");

  /** A setting, and what it cannot be. */
  record Bad(Class<?> type, String prefix, String setting, String value) {
    @Override
    public String toString() {
      return setting + "=" + value + " of " + type.getName();
    }
  }

  static Stream<Bad> everySetting() throws ClassNotFoundException {
    var all = new ArrayList<Bad>();
    var scanner = new ClassPathScanningCandidateComponentProvider(false);
    scanner.addIncludeFilter(new AnnotationTypeFilter(ConfigurationProperties.class));
    for (var found : scanner.findCandidateComponents("dev.sluice")) {
      Class<?> type = Class.forName(found.getBeanClassName());
      String prefix = type.getAnnotation(ConfigurationProperties.class).value();
      for (RecordComponent component : type.getRecordComponents()) {
        String setting =
            prefix + "." + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase();
        for (String value : badValues(setting, component.getType())) {
          all.add(new Bad(type, prefix, setting, value));
        }
      }
    }
    return all.stream();
  }

  private static List<String> badValues(String setting, Class<?> type) {
    if (type == int.class || type == long.class) {
      return List.of("many", "-1");
    } else if (type == Duration.class) {
      return List.of("soon", "-1s");
    } else if (type == boolean.class) {
      return List.of("perhaps");
    } else if (type == DataSize.class) {
      return List.of("big", "1B");
    }
    return FREE_TEXT.contains(setting) ? List.of() : List.of(BAD_TEXT.getOrDefault(setting, " "));
  }

  @ParameterizedTest
  @MethodSource("everySetting")
  void isRefusedWithOneSentence(Bad bad) {
    var given = new MapConfigurationPropertySource(Map.of(bad.setting(), bad.value()));
    if (bad.prefix().equals("sluice.database")) { // what the services' own files give
      Map.of("url", "jdbc:postgresql://h/d", "user", "u", "password", "geheim", "connections", "8")
          .forEach(
              (name, value) -> {
                if (!bad.setting().equals("sluice.database." + name)) {
                  given.put("sluice.database." + name, value);
                }
              });
    }
    Throwable failure =
        catchThrowable(() -> new Binder(given).bindOrCreate(bad.prefix(), bad.type()));
    assertThat(failure).as("accepted").isNotNull();
    String sentence = sentence(failure);
    assertThat(sentence)
        .matches("(?s)\\S+.* is \"[^\"]*\"; it must be .+, for example [^.]+.*")
        .doesNotContain("\n", "geheim");
    String last = bad.setting().substring(bad.setting().lastIndexOf('.') + 1);
    assertThat(sentence)
        .containsAnyOf(bad.setting(), last.toUpperCase().replace('-', '_'))
        .contains(bad.value().strip().replaceAll("^1B$", "1"));
  }

  @Test
  void thereAreManySettings() throws ClassNotFoundException {
    assertThat(everySetting().map(Bad::setting).distinct()).hasSizeGreaterThan(70);
  }

  /** As Spring Boot would find it. */
  private static String sentence(Throwable failure) {
    var arguments =
        ArgumentResolver.of(BeanFactory.class, new DefaultListableBeanFactory())
            .and(Environment.class, new StandardEnvironment());
    return SpringFactoriesLoader.forDefaultResourceLocation()
        .load(FailureAnalyzer.class, arguments)
        .stream()
        .map(analyzer -> analyzer.analyze(failure))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow()
        .getDescription();
  }
}
