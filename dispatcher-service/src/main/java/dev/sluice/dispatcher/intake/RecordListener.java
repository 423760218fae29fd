package dev.sluice.dispatcher.intake;

import dev.sluice.contracts.Signal;
import dev.sluice.contracts.SignalCodec;
import dev.sluice.contracts.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.listener.BatchMessageListener;

/** One batch of both topics. Once this has returned, its offsets may be committed. */
public final class RecordListener implements BatchMessageListener<byte[], byte[]> {
  private final Intake intake;
  private final Consumer<Signal> onSignal;

  RecordListener(Intake intake, Consumer<Signal> onSignal) {
    this.intake = intake;
    this.onSignal = onSignal;
  }

  @Override
  public void onMessage(List<ConsumerRecord<byte[], byte[]>> records) {
    var requests = new ArrayList<ConsumerRecord<byte[], byte[]>>(records.size());
    var signals = new ArrayList<Signal>();
    for (var received : records) {
      if (received instanceof StoredRecord) {
        continue;
      }
      if (received.topic().equals(Topics.REQUESTS)) {
        requests.add(received);
      } else {
        SignalCodec.decode(received).ifPresent(signals::add);
      }
    }
    if (!requests.isEmpty()) {
      take(requests);
    }
    signals.forEach(onSignal);
  }

  private void take(List<ConsumerRecord<byte[], byte[]>> requests) {
    try {
      var _ = intake.runOnce(requests);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("stopped while dead letters were on their way", e);
    }
  }
}
