package dev.sluice.worker.node;

import dev.sluice.contracts.FieldReader;
import dev.sluice.contracts.graph.BuiltInNodeTypes;
import dev.sluice.worker.NodeHandler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Stops the start when two handlers want the same type, or one a type it cannot have. */
final class NodeTypes {
  /** The workflow does these itself, so a handler for one would never be called. */
  private static final Set<String> IN_WORKFLOW =
      Set.of(BuiltInNodeTypes.SLEEP, BuiltInNodeTypes.SET);

  private NodeTypes() {}

  private static void requireUsable(NodeHandler handler) {
    String type = handler.type();
    if (!FieldReader.isId(type) || IN_WORKFLOW.contains(type)) {
      throw new IllegalStateException(
          "%s has the node type \"%s\"; use one of 1 to 64 letters, digits or _ . : - that is not built in, like \"http.get\""
              .formatted(handler.getClass().getName(), type));
    }
  }

  /** By type. */
  static Map<String, NodeHandler> index(List<NodeHandler> handlers) {
    var byType = new HashMap<String, NodeHandler>();
    for (NodeHandler handler : handlers) {
      requireUsable(handler);
      NodeHandler other = byType.put(handler.type(), handler);
      if (other != null) {
        throw new IllegalStateException(
            "%s and %s both have the node type \"%s\"; give one of them another"
                .formatted(
                    other.getClass().getName(), handler.getClass().getName(), handler.type()));
      }
    }
    return Map.copyOf(byType);
  }
}
