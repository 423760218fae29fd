package dev.sluice.dispatcher.start;

import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.ledger.DefinitionLedger;
import dev.sluice.dispatcher.ledger.DefinitionLedger.Key;
import dev.sluice.dispatcher.ledger.DefinitionLedger.Version;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The versions used lately, kept in memory: a version never changes. */
final class DefinitionVersions {
  private static final int MOST = 10_000;

  private final DefinitionLedger ledger;
  private final Map<Key, Version> recent =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Version> eldest) {
          return size() > MOST;
        }
      };

  DefinitionVersions(DefinitionLedger ledger) {
    this.ledger = ledger;
  }

  Optional<Version> find(Claim claim) {
    var key = new Key(claim.workspaceId(), claim.definitionId(), claim.version());
    synchronized (recent) {
      Version known = recent.get(key);
      if (known != null) {
        return Optional.of(known);
      }
    }
    Optional<Version> found = ledger.find(key);
    found.ifPresent(
        version -> {
          synchronized (recent) {
            recent.put(key, version);
          }
        });
    return found;
  }
}
