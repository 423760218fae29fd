package dev.sluice.ingest.catalogue;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Service;

/**
 * Whether a request names something that exists. Only "yes" is remembered, and only for a moment,
 * so that a PUT on one instance followed by a POST on another works at once.
 */
@Service
public class KnownDefinitions {
  /** The answer. */
  public enum Known {
    YES,
    UNKNOWN_WORKSPACE,
    UNKNOWN_DEFINITION
  }

  private record Name(String workspace, String definition) {}

  private static final long REMEMBERED = Duration.ofSeconds(5).toNanos();
  private static final int MOST = 100_000;

  private final DefinitionRepository definitions;
  private final ConcurrentHashMap<Name, Long> seen = new ConcurrentHashMap<>();

  KnownDefinitions(DefinitionRepository definitions) {
    this.definitions = definitions;
  }

  public Known check(String workspace, String definition) {
    var name = new Name(workspace, definition);
    Long at = seen.get(name);
    if (at != null && System.nanoTime() - at < REMEMBERED) {
      return Known.YES;
    }
    Known answer = ask(name);
    if (answer == Known.YES) {
      remember(name);
    } else {
      seen.remove(name);
    }
    return answer;
  }

  private Known ask(Name name) {
    return definitions
        .isKnown(name.workspace(), name.definition())
        .map(known -> known ? Known.YES : Known.UNKNOWN_DEFINITION)
        .orElse(Known.UNKNOWN_WORKSPACE);
  }

  private void remember(Name name) {
    if (seen.size() >= MOST) {
      seen.clear();
    }
    seen.put(name, System.nanoTime());
  }
}
