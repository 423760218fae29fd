package dev.sluice.dispatcher.intake;

import dev.sluice.dispatcher.ledger.IntakeLedger;
import dev.sluice.dispatcher.ledger.IntakeLedger.NewItem;
import dev.sluice.dispatcher.ledger.IntakeLedger.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Which requests are over their workspace's backlog cap. A count is good for as many requests as it
 * left room for, since a backlog only shrinks by itself; so a workspace far below its cap is
 * counted once in a long while, and one at its cap each time.
 */
public final class Backlog {
  /** A count up to here is a matter of a millisecond or two. */
  private static final int QUICKLY_COUNTED = 10_000;

  private static final long FULL_FOR = Duration.ofSeconds(1).toNanos();
  private static final int MOST_REMEMBERED = 100_000;

  private final IntakeLedger ledger;
  private final int cap;
  private final LongSupplier nanoTime;
  private final Map<String, Room> rooms = new HashMap<>();

  /**
   * What is left of a count.
   *
   * @param fullUntil until then it is not counted again: that would take too long
   */
  private record Room(int left, boolean isFull, long fullUntil) {}

  public Backlog(IntakeLedger ledger, BacklogSettings settings, LongSupplier nanoTime) {
    this.ledger = ledger;
    this.cap = settings.largest();
    this.nanoTime = nanoTime;
  }

  /** Of these requests, those to be refused. In the order given, the first come in. */
  public synchronized Set<UUID> over(List<NewItem> items) {
    var byWorkspace = new HashMap<String, List<UUID>>();
    for (NewItem item : items) {
      byWorkspace
          .computeIfAbsent(item.request().workspaceId(), w -> new ArrayList<>())
          .add(item.id());
    }
    var over = new HashSet<UUID>();
    var toCount = new ArrayList<String>();
    byWorkspace.forEach(
        (workspace, ids) -> {
          Room room = rooms.get(workspace);
          if (room != null && room.isFull && nanoTime.getAsLong() - room.fullUntil < 0) {
            over.addAll(ids);
          } else if (room != null && room.left >= ids.size()) {
            rooms.put(workspace, new Room(room.left - ids.size(), false, 0));
          } else {
            toCount.add(workspace);
          }
        });
    if (!toCount.isEmpty()) {
      for (Waiting counted : ledger.waiting(toCount, cap)) {
        refuse(counted, byWorkspace.getOrDefault(counted.workspaceId(), List.of()), over);
      }
    }
    return over;
  }

  /** Its cap changed, or another dispatcher counted for a while. */
  public synchronized void forget(String workspaceId) {
    rooms.remove(workspaceId);
  }

  public synchronized void forgetAll() {
    rooms.clear();
  }

  private void refuse(Waiting counted, List<UUID> ids, Set<UUID> over) {
    int left = Math.max(0, counted.cap() - counted.waiting());
    if (left < ids.size()) {
      Set<UUID> known = ledger.known(ids); // a repetition needs no room
      for (UUID id : new LinkedHashSet<>(ids)) {
        if (known.contains(id)) {
          continue;
        }
        if (left > 0) {
          left--;
        } else {
          over.add(id);
        }
      }
    } else {
      left -= ids.size();
    }
    boolean slow = left == 0 && counted.cap() > QUICKLY_COUNTED;
    if (rooms.size() >= MOST_REMEMBERED) {
      rooms.clear();
    }
    rooms.put(counted.workspaceId(), new Room(left, slow, nanoTime.getAsLong() + FULL_FOR));
  }
}
