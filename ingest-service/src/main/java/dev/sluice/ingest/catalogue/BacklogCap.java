package dev.sluice.ingest.catalogue;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Service;

/**
 * Refuses more requests of a workspace that has too many waiting. A small cap is counted each time,
 * a large one at most every second. What is still in Kafka is not counted; dispatchers see to that.
 */
@Service
public class BacklogCap {
  /** What was counted, less what was let in since. */
  private record Seen(long at, AtomicLong room) {}

  private static final int SMALL = 10_000;
  private static final long REMEMBERED = Duration.ofSeconds(1).toNanos();
  private static final int MOST = 100_000;

  private final BacklogRepository backlogs;
  private final BacklogSettings settings;
  private final ConcurrentHashMap<String, Seen> seen = new ConcurrentHashMap<>();

  BacklogCap(BacklogRepository backlogs, BacklogSettings settings) {
    this.backlogs = backlogs;
    this.settings = settings;
  }

  /** Is there room for so many more? All of them or none. */
  public boolean hasRoom(String workspace, int more) {
    Seen last = seen.get(workspace);
    if (last == null || System.nanoTime() - last.at >= REMEMBERED) {
      return count(workspace, more);
    }
    return take(last.room, more);
  }

  /** Its cap was changed: at least here that takes effect at once. */
  public void forget(String workspace) {
    seen.remove(workspace);
  }

  private boolean count(String workspace, int more) {
    var backlog = backlogs.backlog(workspace, settings.largest());
    // A workspace that is gone has no backlog, and that it is gone is found out elsewhere.
    long room = backlog.map(BacklogRepository.Backlog::room).orElse(Long.MAX_VALUE);
    if (backlog.isEmpty() || backlog.get().cap() <= SMALL) {
      seen.remove(workspace);
      return room >= more;
    }
    if (seen.size() >= MOST) {
      seen.clear();
    }
    var now = new Seen(System.nanoTime(), new AtomicLong(room));
    seen.put(workspace, now);
    return take(now.room, more);
  }

  private static boolean take(AtomicLong room, int more) {
    return room.getAndUpdate(left -> left >= more ? left - more : left) >= more;
  }
}
