package dev.sluice.dispatcher;

import dev.sluice.dispatcher.intake.Backlog;
import dev.sluice.dispatcher.intake.BacklogSettings;
import dev.sluice.dispatcher.intake.IntakeConfiguration;
import dev.sluice.dispatcher.intake.IntakeConfiguration.Listeners;
import dev.sluice.dispatcher.intake.IntakeSettings;
import dev.sluice.dispatcher.ledger.IntakeLedger;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import org.apache.kafka.clients.producer.Producer;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;

/** The way in. Starts last and stops first. */
@Configuration(proxyBeanMethods = false)
class ConsumerConfiguration {
  @Bean
  Backlog backlog(JdbcTemplate jdbc, BacklogSettings settings) {
    return new Backlog(new IntakeLedger(jdbc), settings, System::nanoTime);
  }

  @Bean
  ConcurrentMessageListenerContainer<byte[], byte[]> intake(
      KafkaProperties kafka,
      IntakeSettings settings,
      JdbcTemplate jdbc,
      Backlog backlog,
      Producer<byte[], byte[]> deadLetterProducer,
      DispatcherMetrics metrics,
      Reception reception) {
    var container =
        IntakeConfiguration.container(
            kafka.buildConsumerProperties(),
            settings,
            new IntakeLedger(jdbc),
            backlog,
            deadLetterProducer,
            metrics,
            new Listeners(
                reception::accepted,
                reception::cancels,
                reception::signal,
                reception::gained,
                reception::lost));
    container.setPhase(Phases.CONSUMER);
    return container;
  }
}
