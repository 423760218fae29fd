package dev.sluice.worker;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Node types of a user's own. No @Configuration, so that only the tests that name it have them. */
class TestNodes {
  /** Puts out all it was given. */
  @Bean
  NodeHandler echo() {
    return handler(
        "test.echo",
        node -> {
          var output = JsonNodeFactory.instance.objectNode();
          output.set("input", node.input());
          output.set("config", node.config());
          var outputs = output.putObject("outputs");
          node.outputs().forEach(outputs::set);
          return output
              .put("execution", node.executionId().toString())
              .put("workspace", node.workspaceId())
              .put("definition", node.definitionId())
              .put("version", node.version())
              .put("node", node.nodeId())
              .put("attempt", node.attempt());
        });
  }

  /** Fails as often as it is told to. */
  @Bean
  NodeHandler flaky() {
    return handler(
        "test.flaky",
        node -> {
          if (node.attempt() <= node.config().path("failures").asInt()) {
            throw new IOException("try " + node.attempt() + " went wrong");
          }
          return JsonNodeFactory.instance.numberNode(node.attempt());
        });
  }

  @Bean
  Blocker blocker() {
    return new Blocker();
  }

  /** Works until it is interrupted. */
  static final class Blocker implements NodeHandler {
    final List<String> started = new CopyOnWriteArrayList<>();
    final List<String> interrupted = new CopyOnWriteArrayList<>();

    @Override
    public String type() {
      return "test.block";
    }

    @Override
    public JsonNode run(NodeContext node) throws InterruptedException {
      String id = node.executionId().toString();
      started.add(id);
      try {
        new CountDownLatch(1).await();
        throw new IllegalStateException("nobody counts down");
      } catch (InterruptedException e) {
        if (node.isCancelled()) {
          interrupted.add(id);
        }
        throw e;
      }
    }
  }

  private interface Work {
    JsonNode run(NodeContext node) throws Exception;
  }

  private static NodeHandler handler(String type, Work work) {
    return new NodeHandler() {
      @Override
      public String type() {
        return type;
      }

      @Override
      public JsonNode run(NodeContext node) throws Exception {
        return work.run(node);
      }
    };
  }
}
