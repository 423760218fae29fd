package dev.sluice.dispatcher.start;

import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.ledger.DefinitionLedger;
import dev.sluice.dispatcher.ledger.DefinitionLedger.Key;
import dev.sluice.dispatcher.ledger.DefinitionLedger.Version;
import dev.sluice.dispatcher.start.StartRequests.Prototype;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import tools.jackson.core.JacksonException;

/**
 * The versions used lately, kept in memory: a version never changes. Others are read by a thread of
 * its own, since whoever asks may be the one that reads Temporal's answers; and all that are asked
 * for meanwhile together, so that a crowd of new workspaces is a few trips to the database.
 */
final class DefinitionVersions {
  private static final Logger log = LoggerFactory.getLogger(DefinitionVersions.class);
  private static final int MOST = 10_000;

  private final DefinitionLedger ledger;
  private final StartRequests requests;
  private final Executor reader =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().name("sluice-versions").factory());
  private final Queue<Asked> asked = new ConcurrentLinkedQueue<>();
  private final Map<Key, Prototype> recent =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Prototype> eldest) {
          return size() > MOST;
        }
      };

  private record Asked(Key key, CompletableFuture<Found> answer) {}

  /** What became of the search for a version. */
  sealed interface Found {
    record Known(Prototype prototype) implements Found {}

    record Missing() implements Found {}

    /** PostgreSQL did not answer. */
    record Unreadable() implements Found {}
  }

  DefinitionVersions(DefinitionLedger ledger, StartRequests requests) {
    this.ledger = ledger;
    this.requests = requests;
  }

  CompletableFuture<Found> find(Claim claim) {
    var key = new Key(claim.workspaceId(), claim.definitionId(), claim.version());
    Prototype known = known(key);
    if (known != null) {
      return CompletableFuture.completedFuture(new Found.Known(known));
    }
    var answer = new CompletableFuture<Found>();
    asked.add(new Asked(key, answer));
    reader.execute(this::readAllAsked);
    return answer;
  }

  private void readAllAsked() {
    var batch = new ArrayList<Asked>();
    for (Asked one = asked.poll(); one != null; one = asked.poll()) {
      batch.add(one);
    }
    if (batch.isEmpty()) {
      return; // the one before has read them
    }
    boolean readable = read(batch.stream().map(Asked::key).distinct().toList());
    for (Asked one : batch) {
      Prototype prototype = known(one.key());
      one.answer()
          .complete(
              prototype != null
                  ? new Found.Known(prototype)
                  : readable ? new Found.Missing() : new Found.Unreadable());
    }
  }

  private boolean read(List<Key> keys) {
    try {
      ledger.find(keys).forEach(this::remember);
      return true;
    } catch (DataAccessException e) {
      return false;
    }
  }

  /** One that is no graph must not keep the others of its batch. */
  private void remember(Key key, Version version) {
    try {
      Prototype prototype = requests.prototype(key, version);
      synchronized (recent) {
        recent.put(key, prototype);
      }
    } catch (JacksonException e) {
      log.atError()
          .addKeyValue("workspace", key.workspaceId())
          .addKeyValue("definition", key.definitionId())
          .addKeyValue("version", key.version())
          .log("a version cannot be read, and is treated as if there were none");
    }
  }

  private @Nullable Prototype known(Key key) {
    synchronized (recent) {
      return recent.get(key);
    }
  }
}
