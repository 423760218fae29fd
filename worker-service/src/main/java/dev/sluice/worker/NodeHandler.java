package dev.sluice.worker;

import tools.jackson.databind.JsonNode;

/**
 * A node type of your own. Every bean of this interface is one; its {@link #run} is a Temporal
 * activity named by the type, with the retries and the timeout of the node.
 *
 * <pre>{@code
 * @Component
 * class Greet implements NodeHandler {
 *   public String type() {
 *     return "greet";
 *   }
 *
 *   public JsonNode run(NodeContext node) {
 *     String name = node.input().path("name").asString("world");
 *     return JsonNodeFactory.instance.objectNode().put("greeting", "Hello, " + name);
 *   }
 * }
 * }</pre>
 */
public interface NodeHandler {
  /** What a graph calls it: 1 to 64 letters, digits or {@code _ . : -}. */
  String type();

  /**
   * Does the work, on a virtual thread, so it may block. It may be run again after a failure or the
   * loss of a worker: {@link NodeContext#executionId} and {@link NodeContext#nodeId} name the work
   * for ever. The thread is interrupted when the execution is cancelled.
   *
   * @return the node's output, which the nodes after it get
   * @throws Exception to fail this try; its message is seen by whoever asks for the execution
   */
  JsonNode run(NodeContext node) throws Exception;
}
