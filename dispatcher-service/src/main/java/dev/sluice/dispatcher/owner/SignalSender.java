package dev.sluice.dispatcher.owner;

import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.Signal;
import dev.sluice.contracts.SignalCodec;
import dev.sluice.dispatcher.admit.Admission;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the owner of a workspace. A signal that gets lost is made up for by the owner's sweep. */
public final class SignalSender implements Admission.Owner {
  private static final Logger log = LoggerFactory.getLogger(SignalSender.class);

  private final Producer<String, byte[]> producer;
  private final Ownership ownership;

  public SignalSender(Producer<String, byte[]> producer, Ownership ownership) {
    this.producer = producer;
    this.ownership = ownership;
  }

  @Override
  public boolean isUs(String workspaceId) {
    return ownership.owns(workspaceId);
  }

  @Override
  public boolean mayAdmit(String workspaceId) {
    return ownership.mayAdmit(workspaceId);
  }

  @Override
  public void tell(String workspaceId) {
    send(new Signal.CapacityChanged(workspaceId));
  }

  public void send(Signal signal) {
    var _ =
        producer.send(
            SignalCodec.encode(signal, EventTypes.DISPATCHER_SOURCE),
            (metadata, failure) -> {
              if (failure != null) {
                log.atWarn()
                    .addKeyValue("workspace", signal.workspaceId())
                    .addKeyValue("signal", signal.type())
                    .setCause(failure)
                    .log("could not signal the owner of a workspace; its sweep will find out");
              }
            });
  }
}
