package dev.sluice.ingest.audit;

import dev.sluice.contracts.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What an action changed, as small JSON. Never a payload: only settings and counts go in here. */
public final class Changes {
  private final Map<String, Object> all = new LinkedHashMap<>();

  private Changes() {}

  public static Changes none() {
    return new Changes();
  }

  /** A fact about the action; nothing when it is absent. */
  public Changes with(String name, @Nullable Object value) {
    if (value != null) {
      all.put(name, value instanceof Number || value instanceof Boolean ? value : value.toString());
    }
    return this;
  }

  /** Nothing when it stays as it was. */
  public Changes from(String name, @Nullable Object before, @Nullable Object after) {
    if (!Objects.equals(before, after)) {
      all.put(name, none().with("from", before).with("to", after).all);
    }
    return this;
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  String json() {
    return Json.MAPPER.writeValueAsString(all);
  }
}
