package dev.sluice.bench.model;

import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/** Kafka, and the consumer's threads: what waits becomes the next batch. */
final class SimulatedIntake {
  private final Processors processors;
  private final Costs costs;
  private final Limits limits;
  private final int workspaces;
  private final SimulatedPipeline pipeline;
  private final Deque<Integer> produced = new ArrayDeque<>();
  private final Deque<Integer> polled = new ArrayDeque<>();
  private final Deque<List<Integer>> parts = new ArrayDeque<>();
  private int writing;
  private int inFlight;
  private boolean consumerBusy;
  private double committedAt;

  /** {@code GatheringConsumer}: one record was waiting, so others may be behind it. */
  private final Gathering forMore;

  SimulatedIntake(
      Processors processors,
      Costs costs,
      Limits limits,
      int workspaces,
      SimulatedPipeline pipeline) {
    this.processors = processors;
    this.costs = costs;
    this.limits = limits;
    this.workspaces = workspaces;
    this.pipeline = pipeline;
    this.forMore = new Gathering(processors, () -> fetchMore(true));
  }

  void produce(int item) {
    produced.addLast(item);
    carry();
  }

  private void carry() {
    if (inFlight >= limits.producerInFlight() || produced.isEmpty()) {
      return;
    }
    inFlight++;
    List<Integer> batch = take(produced, limits.producerBatch());
    Work work = costs.kafka().carry().of(batch.size(), 0);
    processors.run(
        new Work(work.cpu(), 0, work.aside()),
        () -> {
          inFlight--;
          // The next batch does not wait until this one has arrived.
          processors.after(
              work.idle(),
              () -> {
                polled.addAll(batch);
                forMore.endNow();
                store();
              });
          carry();
        });
  }

  private void store() {
    if (consumerBusy || polled.isEmpty()) {
      return;
    }
    consumerBusy = true;
    processors.run(costs.kafka().fetch().allAside(), () -> {});
    parts.addAll(partsOf(take(polled, limits.pollRecords())));
    for (int writer = 0; writer < limits.writers(); writer++) {
      writing++;
      storeNextPart();
    }
  }

  /** What belongs to one workspace stays in one part. */
  private Collection<List<Integer>> partsOf(List<Integer> batch) {
    int count = Math.ceilDiv(batch.size(), limits.part());
    return batch.stream().collect(groupingBy(item -> item % workspaces % count)).values();
  }

  private void storeNextPart() {
    List<Integer> part = parts.poll();
    if (part == null) {
      writing--;
      if (writing == 0) {
        commit();
      }
      return;
    }
    List<Integer> entering = pipeline.mayEnter(part);
    part.removeAll(entering);
    write(
        costs.enter()::of,
        entering,
        () ->
            pipeline.entered(
                entering,
                () ->
                    write(
                        costs.intake()::of,
                        part,
                        () -> {
                          pipeline.stored(part);
                          storeNextPart();
                        })));
  }

  /** What a statement asks of the machine, for so many items of so many workspaces. */
  private interface Statement {
    Work of(int items, int workspaces);
  }

  private void write(Statement statement, List<Integer> items, Runnable then) {
    processors.run(
        items.isEmpty() ? Work.NONE : statement.of(items.size(), workspaces(items)), then);
  }

  private void commit() {
    boolean due = processors.now() - committedAt >= limits.commitEvery();
    committedAt = due ? processors.now() : committedAt;
    processors.run(
        due ? costs.kafka().commit().of(1, 0) : Work.NONE,
        () -> {
          if (polled.size() == 1) {
            forMore.begin(limits.pollGather());
          } else {
            fetchMore(!polled.isEmpty() && polled.size() < limits.plentyRecords());
          }
        });
  }

  private void fetchMore(boolean few) {
    processors.run(
        few ? costs.kafka().fetch() : Work.NONE,
        () -> {
          consumerBusy = false;
          store();
        });
  }

  private int workspaces(List<Integer> batch) {
    return (int) batch.stream().mapToInt(item -> item % workspaces).distinct().count();
  }

  static List<Integer> take(Deque<Integer> from, int most) {
    var taken = new ArrayList<Integer>(Math.min(most, from.size()));
    while (taken.size() < most && !from.isEmpty()) {
      taken.add(from.removeFirst());
    }
    return taken;
  }
}
