package dev.sluice.recovery.stuck;

import dev.sluice.recovery.signal.SignalSender;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

@Configuration(proxyBeanMethods = false)
class StuckConfiguration {
  @Bean
  Redriver redriver(SignalSender signals, StuckSettings settings, MeterRegistry meters) {
    return new Redriver(signals, settings.alarmAfter(), meters);
  }

  @Bean
  Sweep sweep(JdbcClient database, Redriver redriver, StuckSettings settings) {
    return new Sweep(new StuckLedger(database), redriver, settings);
  }

  @Bean
  ClaimFollower claimFollower(
      JdbcClient database, Redriver redriver, StuckSettings settings, MeterRegistry meters) {
    return new ClaimFollower(new StuckLedger(database), redriver, settings, meters);
  }
}
