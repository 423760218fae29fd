package dev.sluice.dispatcher.simulator;

import dev.sluice.dispatcher.Entrance;
import dev.sluice.dispatcher.Pipeline;
import dev.sluice.dispatcher.Settling;
import dev.sluice.dispatcher.SimulatedReception;
import dev.sluice.dispatcher.admit.Admission;
import dev.sluice.dispatcher.admit.AdmitSettings;
import dev.sluice.dispatcher.finish.CloseWatcher;
import dev.sluice.dispatcher.finish.FinishSettings;
import dev.sluice.dispatcher.intake.Backlog;
import dev.sluice.dispatcher.intake.BacklogSettings;
import dev.sluice.dispatcher.intake.IntakeConfiguration.Listeners;
import dev.sluice.dispatcher.intake.RecordListener;
import dev.sluice.dispatcher.intake.SimulatedIntake;
import dev.sluice.dispatcher.ledger.AdmitLedger;
import dev.sluice.dispatcher.ledger.EnterLedger;
import dev.sluice.dispatcher.ledger.FinishLedger;
import dev.sluice.dispatcher.ledger.HandoverLedger;
import dev.sluice.dispatcher.ledger.IntakeLedger;
import dev.sluice.dispatcher.ledger.SettleLedger;
import dev.sluice.dispatcher.ledger.TakeoverLedger;
import dev.sluice.dispatcher.ledger.WakeLedger;
import dev.sluice.dispatcher.ledger.WorkspaceLock;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import dev.sluice.dispatcher.owner.Ownership;
import dev.sluice.dispatcher.owner.SignalSender;
import dev.sluice.dispatcher.settle.Settlement;
import dev.sluice.dispatcher.start.StartQueue;
import dev.sluice.dispatcher.start.StartSettings;
import dev.sluice.dispatcher.takeover.Takeover;
import dev.sluice.dispatcher.takeover.TakeoverLoop;
import dev.sluice.dispatcher.wake.Waker;
import dev.sluice.dispatcher.wake.WakerLoop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.transaction.support.TransactionTemplate;

/** The real parts of a dispatcher, put together as the service does, with no thread of its own. */
final class Dispatcher {
  private static final DispatcherMetrics METRICS = new DispatcherMetrics(new SimpleMeterRegistry());
  private static final StartSettings START =
      settings(
          "sluice.start",
          StartSettings.class,
          Map.of(
              "concurrency", "4",
              "max-claimed", "6",
              "max-claimed-per-workspace", "3",
              "first-backoff", "1h",
              "longest-backoff", "1h"));
  private static final FinishSettings FINISH =
      settings("sluice.finish", FinishSettings.class, Map.of("long-polls", "3"));
  private static final AdmitSettings ADMIT =
      settings("sluice.admit", AdmitSettings.class, Map.of());

  final String name;
  final Wire wire;
  final TemporalEnd temporal;
  final ManualTimer timer;
  final ManualTimer takeoverThread;
  final Pipeline pipeline;
  final Settling settling;
  final StartQueue starts;
  final CloseWatcher watcher;
  final Waker waker;
  final Ownership ownership = new Ownership(FakeKafka.PARTITIONS);

  private final FakeKafka kafka;
  private final Listeners listeners;
  private final RecordListener intake;
  private final Map<TopicPartition, Integer> positions = new HashMap<>();
  private Runnable afterTransaction = () -> {};
  private boolean frozen;
  private boolean stopping;

  Dispatcher(String name, Connection connection, World world) {
    this.name = name;
    this.kafka = world.kafka;
    wire = new Wire(connection, world.mutation::sql);
    temporal = new TemporalEnd(name, world.temporal, world::isRefused, world.mutation);
    timer = new ManualTimer(world.clock);
    takeoverThread = new ManualTimer(world.clock);
    var database = new SingleConnectionDataSource(wire.connection(), true);
    var jdbc = new JdbcTemplate(database);
    var transaction = transaction(database);
    settling = new Settling(new SettleLedger(jdbc), METRICS);
    pipeline =
        new Pipeline(
            new WorkspaceLock(jdbc),
            new SettleLedger(jdbc),
            new FinishLedger(jdbc),
            transaction,
            new Settlement(START),
            settling,
            METRICS,
            true);
    var signals = new SignalSender(producer(world), ownership);
    starts = new StartQueue(temporal, pipeline, START, timer, world.clock::nanos);
    var admission =
        new Admission(
            new AdmitLedger(jdbc, ownership.instance(), ADMIT.aging()),
            new HandoverLedger(jdbc, ownership.instance()),
            starts,
            ADMIT,
            METRICS,
            signals,
            pipeline.later(timer));
    watcher =
        new CloseWatcher(
            temporal, pipeline::closed, pipeline::unknown, FINISH, timer, starts::isBusy);
    var takeover =
        new Takeover(
            new TakeoverLedger(jdbc, ownership.instance()),
            ownership,
            pipeline,
            starts,
            watcher,
            temporal,
            METRICS);
    var takeoverLoop =
        new TakeoverLoop(takeover, ownership, Duration.ofSeconds(30), takeoverThread);
    Consumer<Collection<String>> doubt =
        world.mutation.ignoresDoubt() ? workspaces -> {} : takeoverLoop::doubt;
    pipeline.connect(admission, starts, watcher, temporal, doubt);
    waker =
        new Waker(
            new WakeLedger(jdbc),
            new FinishLedger(jdbc),
            new WorkspaceLock(jdbc),
            transaction,
            pipeline,
            temporal);
    var intakeLedger = new IntakeLedger(jdbc);
    var entrance =
        new Entrance(
            intakeLedger,
            new EnterLedger(jdbc, ownership.instance(), world.few),
            pipeline,
            admission,
            watcher,
            doubt,
            METRICS,
            world.setting.entrance());
    var backlog = new Backlog(intakeLedger, new BacklogSettings(1_000_000), world.clock::nanos);
    listeners =
        SimulatedReception.listeners(
            pipeline,
            admission,
            starts,
            watcher,
            temporal,
            takeoverLoop,
            new WakerLoop(waker),
            ownership,
            backlog,
            METRICS,
            transaction,
            jdbc);
    intake =
        SimulatedIntake.listener(
            entrance, intakeLedger, backlog, refuseDeadLetters(), METRICS, listeners);
  }

  boolean isDead() {
    return temporal.isDead();
  }

  boolean isAwake() {
    return !isDead() && !frozen;
  }

  boolean isFrozen() {
    return frozen && !isDead();
  }

  void freeze(boolean on) {
    frozen = on;
  }

  boolean isStopping() {
    return stopping;
  }

  void die() {
    wire.cut();
    temporal.die();
  }

  /** The partitions it believes to be its own. */
  List<Integer> believed() {
    return List.copyOf(new TreeSet<>(ownership.assigned()));
  }

  void gain(int partition) {
    FakeKafka.both(partition).forEach(p -> positions.put(p, kafka.committed(p)));
    listeners.gained().accept(List.of(partition));
  }

  void lose(List<Integer> partitions) {
    partitions.forEach(p -> FakeKafka.both(p).forEach(positions::remove));
    listeners.lost().accept(partitions);
  }

  boolean hasRecords() {
    return positions.entrySet().stream().anyMatch(p -> kafka.hasMore(p.getKey(), p.getValue()));
  }

  /** One poll of the consumer. A batch that fails comes again. */
  int poll(int most, boolean commit) {
    var batch = new ArrayList<ConsumerRecord<byte[], byte[]>>();
    var read = new HashMap<TopicPartition, Integer>();
    for (int partition : believed()) {
      for (TopicPartition from : FakeKafka.both(partition)) {
        int position = positions.get(from);
        var records = kafka.read(from, position, most);
        batch.addAll(records);
        read.put(from, position + records.size());
      }
    }
    try {
      intake.onMessage(batch);
    } catch (DataAccessException e) {
      return -1;
    }
    positions.putAll(read);
    if (commit) {
      read.forEach((partition, offset) -> kafka.commit(this, partition, offset));
    }
    return batch.size();
  }

  /** As the service ends when it is asked to, whether or not the consumer stops in time. */
  void stop(boolean consumerFirst) {
    stopping = true;
    if (consumerFirst) {
      lose(believed());
    }
    pipeline.unsent(starts.stop());
  }

  /** Both of its threads, one after the other. */
  Pipeline.Done work() {
    var _ = settling.runOnce();
    return pipeline.runOnce();
  }

  boolean isDrained() {
    return stopping && starts.size() == 0;
  }

  /** Once, when the next transaction has ended and its thread has not gone on yet. */
  void afterNextTransaction(Runnable work) {
    afterTransaction = work;
  }

  private TransactionTemplate transaction(SingleConnectionDataSource database) {
    return new TransactionTemplate(new JdbcTransactionManager(database)) {
      private static final long serialVersionUID = 1;

      @Override
      public <T> T execute(TransactionCallback<T> action) {
        T result = super.execute((TransactionStatus status) -> action.doInTransaction(status));
        Runnable work = afterTransaction;
        afterTransaction = () -> {};
        work.run();
        return result;
      }
    };
  }

  private Producer<String, byte[]> producer(World world) {
    return producer(
        args -> {
          @SuppressWarnings("unchecked")
          var record = (ProducerRecord<String, byte[]>) args[0];
          if (!isDead()) {
            world.publishSignal(record);
          }
          return CompletableFuture.completedFuture(null);
        });
  }

  private static Producer<byte[], byte[]> refuseDeadLetters() {
    return producer(
        args -> {
          throw new AssertionError("every record here is readable");
        });
  }

  private interface Send {
    Object send(Object[] args);
  }

  @SuppressWarnings("unchecked")
  private static <K> Producer<K, byte[]> producer(Send send) {
    return (Producer<K, byte[]>)
        Proxy.newProxyInstance(
            Dispatcher.class.getClassLoader(),
            new Class<?>[] {Producer.class},
            (proxy, method, args) -> {
              if (!method.getName().equals("send")) {
                throw new UnsupportedOperationException(method.getName());
              }
              return send.send(args);
            });
  }

  private static <T> T settings(String prefix, Class<T> type, Map<String, String> changed) {
    var properties = new HashMap<String, String>();
    changed.forEach((name, value) -> properties.put(prefix + "." + name, value));
    return new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate(prefix, type);
  }

  @Override
  public String toString() {
    return name;
  }
}
