package dev.sluice.recovery.reconcile;

import dev.sluice.recovery.reconcile.ReconcileLedger.HeldSlot;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Slots held by nothing: each is counted and said once. */
final class Leaks {
  private static final Logger log = LoggerFactory.getLogger(Leaks.class);
  private static final int REMEMBERED = 10_000;

  private final Counter counted;
  private final Set<UUID> known =
      Collections.newSetFromMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<UUID, Boolean> eldest) {
              return size() > REMEMBERED;
            }
          });

  Leaks(MeterRegistry meters) {
    counted =
        Counter.builder("sluice.slot.leaks").description("slots held by nothing").register(meters);
  }

  void found(HeldSlot slot, String how) {
    if (known.add(slot.id())) {
      counted.increment();
      log.atWarn()
          .addKeyValue("alarm", "slot-leak")
          .addKeyValue("execution", slot.id())
          .addKeyValue("workspace", slot.workspaceId())
          .addKeyValue("workflow", how)
          .addKeyValue("item", slot.state())
          .log("a slot is held by nothing, its owner is told");
    }
  }
}
