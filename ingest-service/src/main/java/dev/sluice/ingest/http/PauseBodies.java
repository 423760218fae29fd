package dev.sluice.ingest.http;

import dev.sluice.ingest.flow.Pause;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Bodies of pause and resume, of a workspace and of a definition alike. */
final class PauseBodies {
  private PauseBodies() {}

  static Pause pause(ObjectNode body) {
    var fields = new Fields(body, Set.of("until", "reason"));
    var pause = new Pause(fields.reader().instant("until"), fields.reason());
    fields.refuseIfWrong();
    return pause;
  }

  static @Nullable String reason(ObjectNode body) {
    var fields = new Fields(body, Set.of("reason"));
    String reason = fields.reason();
    fields.refuseIfWrong();
    return reason;
  }
}
