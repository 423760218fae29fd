package dev.sluice.ingest.publish;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Requests with {@code durability=fast}: answered at once, written in order by one thread, tried
 * again for as long as Kafka is away. A crash loses at most what is in here, and that is bounded.
 */
@Component
public class FastBuffer implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(FastBuffer.class);
  private static final int LARGEST_ROUND = 500;
  private static final long PAUSE_MILLIS = 250;

  private final Producer<String, byte[]> producer;
  private final PublishSettings settings;
  private final BlockingQueue<ProducerRecord<String, byte[]>> queue = new LinkedBlockingQueue<>();

  /** Includes what is being written, so that the bound is true. */
  private final AtomicInteger held = new AtomicInteger();

  private final AtomicLong heldBytes = new AtomicLong();
  private final Thread writer = Thread.ofVirtual().name("fast-writer").unstarted(this::write);
  private volatile boolean running;

  FastBuffer(Producer<String, byte[]> producer, PublishSettings settings) {
    this.producer = producer;
    this.settings = settings;
  }

  /** False when it is full, or the service is stopping: then it was not taken. */
  public boolean offer(ProducerRecord<String, byte[]> message) {
    boolean hasPlace = held.incrementAndGet() <= settings.fastCapacity();
    boolean hasSpace =
        heldBytes.addAndGet(message.value().length) <= settings.fastBytes().toBytes();
    // Looked at after it was counted: a stop that did not see the count is seen here.
    if (!hasPlace || !hasSpace || !running) {
      forget(message);
      return false;
    }
    return queue.add(message);
  }

  public int held() {
    return held.get();
  }

  @Override
  public void start() {
    running = true;
    writer.start();
  }

  /** After the web server: its phase is a later one, and later phases stop first. */
  @Override
  public int getPhase() {
    return 0;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public void stop() {
    running = false;
    long deadline = System.nanoTime() + settings.fastFlush().toNanos();
    try {
      while (held.get() > 0 && System.nanoTime() < deadline) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    writer.interrupt();
    if (held.get() > 0) {
      log.atError().addKeyValue("lost", held.get()).log("stopped with fast requests unwritten");
    }
  }

  private void write() {
    try {
      while (true) {
        List<ProducerRecord<String, byte[]>> round = new ArrayList<>();
        round.add(queue.take());
        queue.drainTo(round, LARGEST_ROUND - 1);
        writeAll(round);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void writeAll(List<ProducerRecord<String, byte[]>> round) throws InterruptedException {
    List<ProducerRecord<String, byte[]>> left = tryOnce(round);
    while (!left.isEmpty()) {
      log.atWarn().addKeyValue("waiting", held.get()).log("Kafka is away, fast requests wait");
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      left = tryOnce(left);
    }
  }

  /** Returns those to be sent again: a repetition has the same id, so it does no harm. */
  private List<ProducerRecord<String, byte[]>> tryOnce(List<ProducerRecord<String, byte[]>> round)
      throws InterruptedException {
    var sends = new ArrayList<Future<RecordMetadata>>();
    try {
      for (var message : round) {
        Future<RecordMetadata> send = producer.send(message);
        sends.add(send);
        if (send.state() == Future.State.FAILED) {
          break;
        }
      }
    } catch (KafkaException cannot) {
      log.atDebug().setCause(cannot).log("cannot send");
    }
    var left = new ArrayList<ProducerRecord<String, byte[]>>();
    for (int i = 0; i < round.size(); i++) {
      if (i < sends.size() && isSettled(sends.get(i), round.get(i))) {
        forget(round.get(i));
      } else {
        left.add(round.get(i));
      }
    }
    return left;
  }

  private static boolean isSettled(
      Future<RecordMetadata> send, ProducerRecord<String, byte[]> message)
      throws InterruptedException {
    try {
      send.get();
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RecordTooLargeException) {
        log.atError()
            .addKeyValue("workspace", message.key())
            .addKeyValue("cause", e.getCause().getMessage())
            .log("the broker refuses a request for its size; it is dropped");
        return true;
      }
      return false;
    }
  }

  private void forget(ProducerRecord<String, byte[]> message) {
    held.decrementAndGet();
    heldBytes.addAndGet(-message.value().length);
  }
}
