package dev.sluice.ingest.lag;

import dev.sluice.contracts.Topics;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Service;

/**
 * What a producer would notice: how old the oldest request is that has not been started although it
 * could be, be it still in Kafka or in the queue already.
 */
@Service
public class EndToEnd {
  private static final Logger log = LoggerFactory.getLogger(EndToEnd.class);
  private static final long FRESH = Duration.ofSeconds(1).toNanos();

  private final StartableRepository startable;
  private long readAt;
  private boolean read;
  private @Nullable Double queued;

  EndToEnd(StartableRepository startable) {
    this.startable = startable;
  }

  /** Empty while it is not known. */
  public OptionalDouble seconds(LagReport kafka) {
    Double inQueue = queued();
    var requests =
        kafka.groups().stream().filter(partition -> partition.topic().equals(Topics.REQUESTS));
    if (inQueue == null) {
      return OptionalDouble.empty();
    }
    double inKafka =
        requests
            .map(PartitionLag::lagSeconds)
            .filter(Objects::nonNull)
            .mapToDouble(Double::doubleValue)
            .max()
            .orElse(0);
    return OptionalDouble.of(Math.max(inKafka, inQueue));
  }

  private synchronized @Nullable Double queued() {
    long now = System.nanoTime();
    if (!read || now - readAt >= FRESH) {
      read = true;
      readAt = now;
      try {
        queued = startable.oldestSeconds();
      } catch (DataAccessException e) {
        queued = null;
        log.atDebug().setCause(e).log("end-to-end lag is not known while PostgreSQL is away");
      }
    }
    return queued;
  }
}
