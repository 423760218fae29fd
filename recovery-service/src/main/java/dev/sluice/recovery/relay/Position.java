package dev.sluice.recovery.relay;

import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * How far the stream was read.
 *
 * @param lsn a place in the write-ahead log
 * @param committedAt when the transaction there was committed, by the database's clock
 */
record Position(long lsn, Instant committedAt) {

  static Position of(SourceRecord message) {
    Map<String, ?> offset = message.sourceOffset();
    // The engine confirms one of these to the server: the furthest is never behind it.
    long lsn =
        Stream.of("lsn", "lsn_commit", "lsn_proc")
            .map(offset::get)
            .filter(Long.class::isInstance)
            .mapToLong(Long.class::cast)
            .max()
            .orElse(0);
    long micros = offset.get("ts_usec") instanceof Long at ? at : 0;
    return new Position(lsn, Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1_000));
  }

  /** As PostgreSQL writes it: 16/B374D848. */
  String lsnText() {
    return text(lsn);
  }

  static String text(long lsn) {
    return "%X/%X".formatted(lsn >>> 32, lsn & 0xFFFF_FFFFL);
  }
}
