package dev.sluice.recovery.relay;

import dev.sluice.recovery.connect.DatabaseSettings;
import dev.sluice.schema.Database;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@Configuration(proxyBeanMethods = false)
class RelayConfiguration {
  @Bean
  RelayMetrics relayMetrics(MeterRegistry meters) {
    return new RelayMetrics(meters);
  }

  /** Its loop closes it, while database and leadership are still there. */
  @Bean(destroyMethod = "")
  Relay relay(
      RelaySettings settings,
      DatabaseSettings database,
      DataSource pool,
      KafkaProperties kafka,
      RelayMetrics metrics,
      @Qualifier("leads") BooleanSupplier leads,
      Consumer<OutboxEvent> follower) {
    var parts = parts(settings, database, pool, kafka.buildProducerProperties(), metrics);
    return new Relay(parts, leads, follower);
  }

  @Bean
  SlotWatch slotWatch(RelaySettings settings, DataSource pool, RelayMetrics metrics, Relay relay) {
    var ledger = new RelayLedger(JdbcClient.create(pool));
    return new SlotWatch(ledger, settings, metrics, relay::isStreaming);
  }

  static RelayParts parts(
      RelaySettings settings,
      DatabaseSettings database,
      DataSource pool,
      Map<String, Object> kafka,
      RelayMetrics metrics) {
    var snapshot = new TransactionTemplate(new DataSourceTransactionManager(pool));
    snapshot.setReadOnly(true);
    return new RelayParts(
        settings,
        new RelayLedger(JdbcClient.create(pool)),
        new Replay(new JdbcTemplate(pool), snapshot, metrics),
        metrics,
        kafka,
        StreamConfig.of(
            Database.jdbcUrl(database.url()), database.user(), database.password(), settings));
  }
}
