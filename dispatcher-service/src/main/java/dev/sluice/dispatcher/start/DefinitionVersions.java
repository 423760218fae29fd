package dev.sluice.dispatcher.start;

import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.ledger.DefinitionLedger;
import dev.sluice.dispatcher.ledger.DefinitionLedger.Key;
import dev.sluice.dispatcher.start.StartRequests.Prototype;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The versions used lately, kept in memory: a version never changes. */
final class DefinitionVersions {
  private static final int MOST = 10_000;

  private final DefinitionLedger ledger;
  private final StartRequests requests;
  private final Map<Key, Prototype> recent =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Prototype> eldest) {
          return size() > MOST;
        }
      };

  DefinitionVersions(DefinitionLedger ledger, StartRequests requests) {
    this.ledger = ledger;
    this.requests = requests;
  }

  /** Without a look at the database. */
  Optional<Prototype> known(Claim claim) {
    synchronized (recent) {
      return Optional.ofNullable(recent.get(key(claim)));
    }
  }

  Optional<Prototype> find(Claim claim) {
    Key key = key(claim);
    Optional<Prototype> found = ledger.find(key).map(version -> requests.prototype(key, version));
    found.ifPresent(
        prototype -> {
          synchronized (recent) {
            recent.put(key, prototype);
          }
        });
    return found;
  }

  private static Key key(Claim claim) {
    return new Key(claim.workspaceId(), claim.definitionId(), claim.version());
  }
}
