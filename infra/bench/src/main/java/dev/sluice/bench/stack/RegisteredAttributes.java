package dev.sluice.bench.stack;

import dev.sluice.dispatcher.start.SearchAttributeSetup;
import io.temporal.serviceclient.WorkflowServiceStubs;

/**
 * Search attributes on a server that is new. A dispatcher registers them at its start, and no real
 * server forgets them; without them a start is not what a dispatcher's is.
 */
public final class RegisteredAttributes {
  private RegisteredAttributes() {}

  public static SearchAttributeSetup at(WorkflowServiceStubs temporal) {
    var attributes = new SearchAttributeSetup(temporal, "default");
    if (attributes.runOnce()) {
      throw new IllegalStateException("the new Temporal does not answer");
    }
    return attributes;
  }
}
