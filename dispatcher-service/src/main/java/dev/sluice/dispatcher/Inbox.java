package dev.sluice.dispatcher;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/** What other threads leave for the pipeline to do with the rest of its batch. */
final class Inbox<T> {
  private final Deque<T> items = new ArrayDeque<>();

  synchronized void add(T item) {
    items.addLast(item);
  }

  /** In their old order, ahead of what came meanwhile: the transaction they were in failed. */
  synchronized void putBack(List<T> batch) {
    for (int i = batch.size() - 1; i >= 0; i--) {
      items.addFirst(batch.get(i));
    }
  }

  synchronized void addAll(Collection<T> more) {
    items.addAll(more);
  }

  synchronized List<T> drain(int most) {
    var batch = new ArrayList<T>(Math.min(most, items.size()));
    while (batch.size() < most && !items.isEmpty()) {
      batch.add(items.removeFirst());
    }
    return batch;
  }

  synchronized boolean isEmpty() {
    return items.isEmpty();
  }
}
