package dev.sluice.bench.stack;

import dev.sluice.servers.LocalTemporal;
import io.grpc.ServerInterceptor;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.util.List;

/**
 * An in-memory Temporal that can be replaced by an empty one at the same address: it keeps what has
 * closed, and everything takes longer the more of it there is.
 */
public final class RenewedTemporal implements AutoCloseable {
  private final List<ServerInterceptor> interceptors;
  private LocalTemporal current;
  private final String address;

  /**
   * @param interceptors who sees what it is asked
   */
  public RenewedTemporal(ServerInterceptor... interceptors) {
    this.interceptors = List.of(interceptors);
    this.current = LocalTemporal.inMemory(0, this.interceptors);
    this.address = current.address();
  }

  public String address() {
    return address;
  }

  public void renew() {
    current.close();
    current = LocalTemporal.inMemory(port(), interceptors);
    registerSearchAttributes();
  }

  private void registerSearchAttributes() {
    var temporal =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget(address).build());
    try {
      var _ = RegisteredAttributes.at(temporal);
    } finally {
      temporal.shutdownNow();
    }
  }

  private int port() {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  @Override
  public void close() {
    current.close();
  }
}
