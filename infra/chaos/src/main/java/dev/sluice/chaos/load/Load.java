package dev.sluice.chaos.load;

import dev.sluice.contracts.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One producer for each workspace, which sends one request after the other, so that their order is
 * known; now over HTTP, now to Kafka, sometimes several at once, sometimes one it sent before.
 */
public final class Load implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Load.class);
  private static final int REMEMBERED = 50;

  /** A slow machine is not buried: a producer waits while so many of its requests do. */
  private static final int LONGEST_BACKLOG = 10;

  private static final int LONGEST_MILLISECONDS = 500;

  private final List<Workspace> workspaces;
  private final Producers producers;
  private final Api api;
  private final Acknowledged acknowledged;
  private final Work work;
  private final long seed;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean running = true;

  public Load(
      List<Workspace> workspaces,
      Api api,
      String kafka,
      Acknowledged acknowledged,
      Work work,
      long seed) {
    this.workspaces = workspaces;
    this.api = api;
    this.producers = new Producers(api, kafka, acknowledged);
    this.acknowledged = acknowledged;
    this.work = work;
    this.seed = seed;
  }

  /** Puts workspaces and their one definition into the catalogue. */
  public void prepare(String workflowType, String taskQueue) throws IOException {
    var definition = Json.MAPPER.createObjectNode();
    definition.put("workflowType", workflowType).put("taskQueue", taskQueue);
    for (Workspace workspace : workspaces) {
      var plan = Json.MAPPER.createObjectNode().put("plan", workspace.plan());
      String path = "workspaces/" + workspace.id();
      require(api.put(path, plan));
      require(api.put(path + "/definitions/" + Order.DEFINITION, definition));
    }
  }

  public void start() {
    for (Workspace workspace : workspaces) {
      threads.add(Thread.ofVirtual().name("load-" + workspace.id()).start(() -> send(workspace)));
    }
  }

  /** Returns when the last answer is there. */
  public void stop() {
    running = false;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  @Override
  public void close() {
    producers.close();
  }

  private void send(Workspace workspace) {
    var source = new OrderSource(workspace.id(), new Random(seed ^ workspace.id().hashCode()));
    double meanMillis = 1000 / workspace.perSecond();
    int longestBacklog = LONGEST_BACKLOG + 2 * workspace.limit();
    while (running) {
      try {
        double wait = -Math.log(1 - source.random.nextDouble()) * meanMillis;
        Thread.sleep(Duration.ofMillis((long) Math.min(wait, 4 * meanMillis)));
        if (acknowledged.size(workspace.id()) - work.begun(workspace.id()) < longestBacklog) {
          sendOne(source);
        }
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        log.atError().setCause(e).addKeyValue("workspace", workspace.id()).log("producer failed");
      }
    }
  }

  private void sendOne(OrderSource source) {
    int dice = source.random.nextInt(100);
    if (dice < 3) {
      var several = new ArrayList<Order>();
      for (int i = 2 + source.random.nextInt(4); i > 0; i--) {
        several.add(source.fresh());
      }
      producers.overHttpTogether(several);
    } else if (dice < 12) {
      producers.overHttp(source.repeated());
    } else if (dice < 18) {
      producers.overKafka(source.repeated(), 1);
    } else if (dice < 22) {
      producers.overKafka(source.fresh(), 2);
    } else if (dice < 60) {
      producers.overKafka(source.fresh(), 1);
    } else {
      producers.overHttp(source.fresh());
    }
  }

  private static void require(Api.Answer answer) {
    if (answer.status() != 200) {
      throw new IllegalStateException("the catalogue answered " + answer.status());
    }
  }

  /** Makes up one workspace's requests. */
  private static final class OrderSource {
    private final String workspaceId;
    private final Random random;
    private final List<Order> keyed = new ArrayList<>();
    private int count;

    OrderSource(String workspaceId, Random random) {
      this.workspaceId = workspaceId;
      this.random = random;
    }

    Order fresh() {
      String name = workspaceId + "/" + ++count;
      String key = random.nextInt(2) == 0 ? "key-" + count : null;
      int priority = random.nextInt(5) == 0 ? 2 : 5;
      int length =
          random.nextInt(4) == 0
              ? 0
              : 50 + random.nextInt(random.nextInt(3) == 0 ? LONGEST_MILLISECONDS - 50 : 100);
      var order = new Order(name, workspaceId, key, priority, length);
      if (key != null) {
        keyed.add(order);
        if (keyed.size() > REMEMBERED) {
          keyed.removeFirst();
        }
      }
      return order;
    }

    Order repeated() {
      return keyed.isEmpty() ? fresh() : keyed.get(random.nextInt(keyed.size()));
    }
  }
}
