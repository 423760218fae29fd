package dev.sluice.recovery;

import dev.sluice.recovery.connect.DatabaseSettings;
import dev.sluice.recovery.lead.LeadSettings;
import dev.sluice.recovery.lead.Leadership;
import dev.sluice.recovery.relay.OutboxEvent;
import dev.sluice.recovery.signal.SignalSender;
import dev.sluice.recovery.stuck.ClaimFollower;
import dev.sluice.schema.Database;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** Where the steps meet: none of them knows another. */
@Configuration(proxyBeanMethods = false)
class RecoveryConfiguration {

  /** Its loop closes it, after the relay. */
  @Bean(destroyMethod = "")
  Leadership leadership(DatabaseSettings database, LeadSettings settings) {
    return new Leadership(
        Database.jdbcUrl(database.url()), database.user(), database.password(), settings);
  }

  @Bean
  BooleanSupplier leads(Leadership leadership) {
    return leadership::held;
  }

  @Bean
  Consumer<OutboxEvent> outboxFollower(ClaimFollower claims) {
    return event -> claims.see(event.kind(), event.executionId());
  }

  @Bean
  SignalSender signalSender(KafkaProperties kafka) {
    return new SignalSender(kafka.buildProducerProperties());
  }

  @Bean
  LockProvider lockProvider(DataSource database) {
    return new JdbcTemplateLockProvider(
        JdbcTemplateLockProvider.Configuration.builder()
            .withJdbcTemplate(new JdbcTemplate(database))
            .usingDbTime()
            .build());
  }
}
