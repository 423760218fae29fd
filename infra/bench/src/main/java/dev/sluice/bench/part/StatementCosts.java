package dev.sluice.bench.part;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.bench.stack.Requests;
import dev.sluice.bench.stack.Servers;
import dev.sluice.bench.stack.Tables;
import dev.sluice.dispatcher.admit.AdmitSettings;
import dev.sluice.dispatcher.intake.Backlog;
import dev.sluice.dispatcher.intake.BacklogSettings;
import dev.sluice.dispatcher.intake.Intake;
import dev.sluice.dispatcher.intake.IntakeConfiguration;
import dev.sluice.dispatcher.intake.IntakeSettings;
import dev.sluice.dispatcher.intake.RecordListener;
import dev.sluice.dispatcher.ledger.AdmitLedger;
import dev.sluice.dispatcher.ledger.AdmitLedger.Ask;
import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.ledger.EnterLedger;
import dev.sluice.dispatcher.ledger.IntakeLedger;
import dev.sluice.dispatcher.ledger.IntakeLedger.Accepted;
import dev.sluice.dispatcher.ledger.IntakeLedger.NewItem;
import dev.sluice.dispatcher.ledger.SettleLedger;
import dev.sluice.dispatcher.ledger.SettleLedger.Started;
import dev.sluice.dispatcher.ledger.WorkspaceLock;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The dispatcher's own steps, one at a time with nothing beside them: records to rows, lock and
 * claim and commit, and the write-back.
 */
final class StatementCosts implements AutoCloseable {
  private static final int WORKSPACES = DispatchRound.WORKSPACES;
  private static final String PREFIX = "w";
  private static final int MOST_CLAIMED = 512;

  private final Tables tables;
  private final HikariDataSource pool;
  private final RecordListener intake;
  private final RecordListener entrance;
  private final WorkspaceLock lock;
  private final AdmitLedger admit;
  private final SettleLedger settle;
  private final TransactionTemplate transaction;
  private final List<Claim> entered = new ArrayList<>();
  private long offsets;

  /**
   * A batch to be measured.
   *
   * @param each items for each of the workspaces
   */
  record Batch(int workspaces, int each, int repetitions) {
    int items() {
      return workspaces * each;
    }
  }

  /** What a batch took at each step. */
  record Taken(
      Batch batch, Meter.Taken intake, Meter.Taken claim, Meter.Taken settle, Meter.Taken enter) {}

  /**
   * @param like of the dispatcher: how its statements are planned decides what they cost
   */
  StatementCosts(Servers servers, HikariConfig like) {
    tables = servers.tables();
    tables.workspaces(PREFIX, WORKSPACES, 1_000_000);
    tables.analyze();
    pool = pool(like, tables.url());
    var jdbc = new JdbcTemplate(pool);
    UUID owner = UUID.randomUUID();
    var ledger = new IntakeLedger(jdbc);
    intake = listener(servers, ledger, ledger::accept);
    var enter = new EnterLedger(jdbc, owner);
    entrance =
        listener(servers, ledger, (items, over, accepted) -> accepted.addAll(enter(enter, items)));
    lock = new WorkspaceLock(jdbc);
    admit = new AdmitLedger(jdbc, owner, new AdmitSettings(200, Duration.ZERO).aging());
    settle = new SettleLedger(jdbc);
    transaction = new TransactionTemplate(new JdbcTransactionManager(pool));
  }

  private static HikariDataSource pool(HikariConfig like, String url) {
    var config = new HikariConfig();
    like.copyStateTo(config);
    config.setPoolName("costs");
    config.setJdbcUrl(url);
    return new HikariDataSource(config);
  }

  /** The container is never started: records are handed to its listener here. */
  private static RecordListener listener(Servers servers, IntakeLedger ledger, Intake.Store store) {
    var container =
        IntakeConfiguration.container(
            Map.of("bootstrap.servers", servers.kafka().bootstrapServers()),
            new IntakeSettings(
                1000,
                2,
                1,
                "classic",
                Duration.ofSeconds(10),
                12,
                Duration.ofMillis(100),
                Duration.ofSeconds(30)),
            store,
            ledger,
            new Backlog(ledger, new BacklogSettings(1_000_000), System::nanoTime),
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()),
            new DispatcherMetrics(new SimpleMeterRegistry()),
            workspace -> false,
            new IntakeConfiguration.Listeners(
                accepted -> {}, cancels -> {}, signal -> {}, gained -> {}, lost -> {}));
    return (RecordListener) requireNonNull(container.getContainerProperties().getMessageListener());
  }

  /** Everybody has room here. A large batch comes in parts, two at a time. */
  private List<Accepted> enter(EnterLedger ledger, List<NewItem> items) {
    Map<String, Integer> coming =
        items.stream()
            .collect(toMap(item -> item.request().workspaceId(), item -> 1, Integer::sum));
    var stored = ledger.enter(items, coming);
    if (stored.claims().size() != items.size()) {
      throw new IllegalStateException(
          "%d of %d had room".formatted(stored.claims().size(), items.size()));
    }
    synchronized (entered) {
      entered.addAll(stored.claims());
    }
    return stored.accepted();
  }

  /**
   * On empty tables, since whoever gets a slot counts what runs in his workspace, and nothing that
   * is started here ever ends.
   */
  Taken measure(Batch batch) {
    tables.removeAll();
    var _ = taken(new Batch(batch.workspaces(), batch.each(), 1)); // plans are made anew
    return taken(batch);
  }

  private Taken taken(Batch batch) {
    List<List<ConsumerRecord<byte[], byte[]>>> records =
        IntStream.range(0, batch.repetitions()).mapToObj(n -> records(batch, n)).toList();
    var claims = new ArrayList<List<Claim>>();
    var in =
        Meter.of(batch.items()).measure(batch.repetitions(), n -> intake.onMessage(records.get(n)));
    var claimed = Meter.of(batch.items());
    var settled = Meter.of(batch.items());
    // A dispatcher never has more in hand, and what a statement costs depends on it.
    int atOnce = Math.max(1, MOST_CLAIMED / batch.items());
    for (int from = 0; from < batch.repetitions(); from += atOnce) {
      int to = Math.min(batch.repetitions(), from + atOnce);
      claimed.run(from, to, n -> claims.add(claim(batch, n)));
      settled.run(from, to, n -> settle(batch, claims.get(n)));
    }
    List<List<ConsumerRecord<byte[], byte[]>>> others =
        IntStream.range(0, batch.repetitions()).mapToObj(n -> records(batch, n)).toList();
    var enter = Meter.of(batch.items());
    for (int from = 0; from < batch.repetitions(); from += atOnce) {
      int to = Math.min(batch.repetitions(), from + atOnce);
      enter.run(from, to, n -> entrance.onMessage(others.get(n)));
      writeBack(entered); // those that stay claimed would be in the way of the next pass
      entered.clear();
    }
    return new Taken(batch, in, claimed.taken(), settled.taken(), enter.taken());
  }

  Tables tables() {
    return tables;
  }

  private List<String> workspaces(Batch batch, int n) {
    return IntStream.range(0, batch.workspaces())
        .mapToObj(i -> PREFIX + (n * batch.workspaces() + i) % WORKSPACES)
        .toList();
  }

  private List<ConsumerRecord<byte[], byte[]>> records(Batch batch, int n) {
    var records = new ArrayList<ConsumerRecord<byte[], byte[]>>(batch.items());
    for (int each = 0; each < batch.each(); each++) {
      for (String workspace : workspaces(batch, n)) {
        records.add(received(Requests.to(workspace)));
      }
    }
    return records;
  }

  private ConsumerRecord<byte[], byte[]> received(Requests.Request request) {
    var sent = request.message();
    byte[] key = sent.key().getBytes(StandardCharsets.UTF_8);
    return new ConsumerRecord<>(
        sent.topic(),
        0,
        offsets++,
        System.currentTimeMillis(),
        TimestampType.CREATE_TIME,
        key.length,
        sent.value().length,
        key,
        sent.value(),
        sent.headers(),
        Optional.empty());
  }

  private List<Claim> claim(Batch batch, int n) {
    List<Ask> asks = workspaces(batch, n).stream().map(w -> new Ask(w, batch.each(), 0)).toList();
    var given =
        transaction.execute(
            status -> {
              var _ = lock.lock(new HashSet<>(asks.stream().map(Ask::workspaceId).toList()));
              return admit.claim(asks);
            });
    return given.stream().flatMap(got -> got.claims().stream()).toList();
  }

  private void settle(Batch batch, List<Claim> claims) {
    if (claims.size() != batch.items()) {
      throw new IllegalStateException("%d were claimed of %s".formatted(claims.size(), batch));
    }
    writeBack(claims);
  }

  private void writeBack(List<Claim> claims) {
    var _ =
        settle.dispatched(
            claims.stream()
                .map(c -> new Started(c.id(), c.token(), UUID.randomUUID().toString()))
                .toList());
  }

  @Override
  public void close() {
    pool.close();
    tables.close();
  }
}
