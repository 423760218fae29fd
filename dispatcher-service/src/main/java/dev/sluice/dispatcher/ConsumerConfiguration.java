package dev.sluice.dispatcher;

import dev.sluice.dispatcher.admit.Admission;
import dev.sluice.dispatcher.finish.CloseWatcher;
import dev.sluice.dispatcher.intake.Backlog;
import dev.sluice.dispatcher.intake.BacklogSettings;
import dev.sluice.dispatcher.intake.IntakeConfiguration;
import dev.sluice.dispatcher.intake.IntakeConfiguration.Listeners;
import dev.sluice.dispatcher.intake.IntakeSettings;
import dev.sluice.dispatcher.ledger.EnterLedger;
import dev.sluice.dispatcher.ledger.IntakeLedger;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import dev.sluice.dispatcher.owner.Ownership;
import dev.sluice.dispatcher.takeover.TakeoverLoop;
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
  IntakeLedger intakeLedger(JdbcTemplate jdbc) {
    return new IntakeLedger(jdbc);
  }

  @Bean
  Backlog backlog(IntakeLedger ledger, BacklogSettings settings) {
    return new Backlog(ledger, settings, System::nanoTime);
  }

  @Bean
  Entrance entrance(
      IntakeLedger ledger,
      JdbcTemplate jdbc,
      Ownership ownership,
      Pipeline pipeline,
      Admission admission,
      CloseWatcher watcher,
      TakeoverLoop takeover,
      DispatcherMetrics metrics,
      EngineSettings engine) {
    return new Entrance(
        ledger,
        new EnterLedger(jdbc, ownership.instance()),
        pipeline,
        admission,
        watcher,
        takeover::doubt,
        metrics,
        engine.enabled());
  }

  @Bean
  ConcurrentMessageListenerContainer<byte[], byte[]> intake(
      KafkaProperties kafka,
      IntakeSettings settings,
      Entrance entrance,
      IntakeLedger ledger,
      Backlog backlog,
      Producer<byte[], byte[]> deadLetterProducer,
      DispatcherMetrics metrics,
      Admission admission,
      Reception reception) {
    var container =
        IntakeConfiguration.container(
            kafka.buildConsumerProperties(),
            settings,
            entrance,
            ledger,
            backlog,
            deadLetterProducer,
            metrics,
            admission::isFull,
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
