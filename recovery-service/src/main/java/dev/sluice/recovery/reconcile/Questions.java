package dev.sluice.recovery.reconcile;

import dev.sluice.recovery.reconcile.ReconcileLedger.HeldSlot;
import dev.sluice.recovery.reconcile.Temporal.Seen;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Asks Temporal about many workflows, so many at a time and so many a second. */
final class Questions {
  private final Temporal temporal;
  private final int concurrency;
  private final long nanosApart;
  private long next = System.nanoTime();

  Questions(Temporal temporal, int concurrency, int perSecond) {
    this.temporal = temporal;
    this.concurrency = concurrency;
    this.nanosApart = TimeUnit.SECONDS.toNanos(1) / perSecond;
  }

  /**
   * @param why set when Temporal stopped answering; the rest was not asked then
   */
  record Answers(Map<UUID, Seen> seen, @Nullable String why) {
    boolean incomplete() {
      return why != null;
    }

    @Nullable Seen of(HeldSlot slot) {
      return seen.get(slot.id());
    }
  }

  Answers ask(List<HeldSlot> slots) throws InterruptedException {
    var seen = new ConcurrentHashMap<UUID, Seen>();
    var trouble = new AtomicReference<@Nullable String>();
    var room = new Semaphore(concurrency);
    try (var asking = Executors.newVirtualThreadPerTaskExecutor()) {
      for (HeldSlot slot : slots) {
        pace();
        room.acquire();
        if (trouble.get() != null) {
          break;
        }
        asking.execute(
            () -> {
              try {
                Seen answer = temporal.look(slot.id());
                seen.put(slot.id(), answer);
                if (answer instanceof Seen.Unknown(String why)) {
                  trouble.set(why);
                }
              } finally {
                room.release();
              }
            });
      }
    }
    return new Answers(seen, trouble.get());
  }

  private void pace() throws InterruptedException {
    long now = System.nanoTime();
    next = Math.max(next + nanosApart, now);
    TimeUnit.NANOSECONDS.sleep(next - now);
  }
}
