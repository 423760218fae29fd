package dev.sluice.dispatcher;

import dev.sluice.dispatcher.finish.OpenWorkflows;
import dev.sluice.dispatcher.finish.WorkflowCanceller;
import dev.sluice.dispatcher.ledger.SettleLedger;
import dev.sluice.dispatcher.ledger.SettleLedger.Dispatched;
import dev.sluice.dispatcher.ledger.SettleLedger.Started;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * What was started is written back. By a thread of its own, because nobody waits for it: the
 * pipeline gives out the next slots meanwhile.
 */
public final class Settling {
  private static final Logger log = LoggerFactory.getLogger(Settling.class);
  private static final int LARGEST_BATCH = 1000;

  private final SettleLedger ledger;
  private final DispatcherMetrics metrics;
  private final PipelineTraces traces;
  private final Inbox<Started> started = new Inbox<>();
  private final News news = new News();

  // Set once by connect, before anything runs.
  private Consumer<String> onSettled;
  private OpenWorkflows openWorkflows;
  private WorkflowCanceller canceller;

  @SuppressWarnings("NullAway.Init")
  public Settling(SettleLedger ledger, DispatcherMetrics metrics) {
    this.ledger = ledger;
    this.metrics = metrics;
    this.traces = new PipelineTraces(metrics);
  }

  void connect(
      Consumer<String> onSettled, OpenWorkflows openWorkflows, WorkflowCanceller canceller) {
    this.onSettled = onSettled;
    this.openWorkflows = openWorkflows;
    this.canceller = canceller;
  }

  void add(Started one) {
    started.add(one);
    news.tell();
  }

  boolean isEmpty() {
    return started.isEmpty();
  }

  /** Returns when there is something to do, or after so long. */
  void awaitWork(Duration longest) throws InterruptedException {
    news.await(longest);
  }

  void wakeUp() {
    news.tell();
  }

  /** Answers how many. */
  public int runOnce() {
    List<Started> batch = started.drain(LARGEST_BATCH);
    if (batch.isEmpty()) {
      return 0;
    }
    long began = traces.now();
    List<Dispatched> settled;
    try {
      settled = ledger.dispatched(batch);
    } catch (DataAccessException e) {
      started.putBack(batch);
      throw e;
    }
    metrics.zombieWrites(batch.size() - settled.size());
    traces.settled(settled, began);
    for (Dispatched item : settled) {
      openWorkflows.watch(item.id(), item.workspaceId());
      onSettled.accept(item.workspaceId());
      if (item.cancelRequested()) {
        canceller.cancel(item.id(), item.workspaceId());
      }
      log.atDebug()
          .addKeyValue("workspace", item.workspaceId())
          .addKeyValue("item", item.id())
          .addKeyValue("execution", item.id())
          .log("dispatched");
    }
    return settled.size();
  }
}
