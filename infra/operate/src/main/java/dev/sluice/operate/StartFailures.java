package dev.sluice.operate;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.unit.DataSize;

/** What a failed start says: one sentence instead of a stack trace. */
final class StartFailures {
  private StartFailures() {}

  /** One of our own checks. */
  @Order(Ordered.HIGHEST_PRECEDENCE)
  static final class OfACheck extends AbstractFailureAnalyzer<WrongSetting> {
    @Override
    protected FailureAnalysis analyze(Throwable root, WrongSetting cause) {
      return new FailureAnalysis(String.valueOf(cause.getMessage()), null, cause);
    }
  }

  /** A value that is not even of the right kind. */
  @Order(Ordered.HIGHEST_PRECEDENCE + 1)
  static final class OfAValue extends AbstractFailureAnalyzer<BindException> {
    private record Kind(String wanted, String example) {}

    private static final Map<Class<?>, Kind> KINDS =
        Map.of(
            int.class, new Kind("a whole number", "10"),
            Integer.class, new Kind("a whole number", "10"),
            long.class, new Kind("a whole number", "10"),
            double.class, new Kind("a number", "0.5"),
            boolean.class, new Kind("true or false", "true"),
            Duration.class, new Kind("a time", "5s"),
            DataSize.class, new Kind("a size", "64MB"));

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable root, BindException cause) {
      ConfigurationProperty property = cause.getProperty();
      Class<?> type = cause.getTarget().getType().resolve(Object.class);
      Kind kind = KINDS.get(type);
      if (property == null || kind == null) {
        return null;
      }
      var wrong =
          new WrongSetting(
              cause.getName().toString(),
              String.valueOf(property.getValue()),
              "it must be " + kind.wanted(),
              kind.example());
      return new FailureAnalysis(String.valueOf(wrong.getMessage()), null, cause);
    }
  }

  @Order(Ordered.HIGHEST_PRECEDENCE + 2)
  static final class OfAPort extends AbstractFailureAnalyzer<PortInUseException> {
    @Override
    protected FailureAnalysis analyze(Throwable root, PortInUseException cause) {
      var wrong =
          new WrongSetting(
              "server.port",
              Integer.toString(cause.getPort()),
              "another process listens there, so give a free one",
              "0 for any");
      return new FailureAnalysis(String.valueOf(wrong.getMessage()), null, cause);
    }
  }
}
