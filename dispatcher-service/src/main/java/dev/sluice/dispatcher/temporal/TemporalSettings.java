package dev.sluice.dispatcher.temporal;

import dev.sluice.operate.Check;
import io.grpc.ManagedChannelBuilder;
import io.temporal.serviceclient.GrpcCompression;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where Temporal is.
 *
 * @param compress what is sent to it. The SDK does by default; a start of a few hundred bytes takes
 *     longer to compress than to send, so it is only of use over a slow network
 */
@ConfigurationProperties("sluice.temporal")
public record TemporalSettings(
    @DefaultValue("127.0.0.1:17233") String address,
    @DefaultValue("default") String namespace,
    @DefaultValue("false") boolean compress) {

  public TemporalSettings {
    Check.address("TEMPORAL_ADDRESS", address, "127.0.0.1:17233");
    Check.notBlank("TEMPORAL_NAMESPACE", namespace, "default");
  }

  /**
   * How to connect to it. Answers are taken by the thread that reads them off the wire: handing
   * each to another thread takes longer than what is done with it. So nobody may wait there, for
   * Temporal least of all.
   */
  public WorkflowServiceStubsOptions.Builder connection() {
    return WorkflowServiceStubsOptions.newBuilder()
        .setTarget(address)
        .setChannelInitializer(ManagedChannelBuilder::directExecutor)
        .setGrpcCompression(compress ? GrpcCompression.GZIP : GrpcCompression.NONE);
  }
}
