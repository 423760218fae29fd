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

  Optional<Prototype> find(Claim claim) {
    var key = new Key(claim.workspaceId(), claim.definitionId(), claim.version());
    synchronized (recent) {
      Prototype known = recent.get(key);
      if (known != null) {
        return Optional.of(known);
      }
    }
    Optional<Prototype> found = ledger.find(key).map(version -> requests.prototype(key, version));
    found.ifPresent(
        prototype -> {
          synchronized (recent) {
            recent.put(key, prototype);
          }
        });
    return found;
  }
}
