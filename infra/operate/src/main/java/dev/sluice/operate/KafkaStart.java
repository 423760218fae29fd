package dev.sluice.operate;

import dev.sluice.contracts.TopicSetup;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;

/** The first thing a service asks of Kafka, with an answer within seconds. */
public final class KafkaStart {
  private static final int PATIENCE_MILLIS = 7000;

  private KafkaStart() {}

  /**
   * Makes the topics that are not there.
   *
   * @param admin as spring.kafka.* has it
   * @return how many partitions the signals topic really has
   */
  public static int topics(Map<String, Object> admin, int partitions) throws InterruptedException {
    var quick = new HashMap<>(admin);
    quick.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, PATIENCE_MILLIS);
    quick.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, PATIENCE_MILLIS / 2);
    try (Admin client = Admin.create(quick)) {
      return TopicSetup.ensure(client, partitions);
    } catch (IllegalStateException | KafkaException e) {
      throw new WrongSetting(
          "KAFKA_BOOTSTRAP_SERVERS",
          servers(admin),
          "it cannot be used (" + Causes.innermost(e) + "), give a broker that answers",
          "127.0.0.1:19092",
          e);
    }
  }

  private static String servers(Map<String, Object> admin) {
    Object given = admin.get(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG);
    return given instanceof Iterable<?> list
        ? String.join(",", strings(list))
        : String.valueOf(given);
  }

  private static Iterable<String> strings(Iterable<?> list) {
    var all = new java.util.ArrayList<String>();
    list.forEach(one -> all.add(String.valueOf(one)));
    return all;
  }
}
