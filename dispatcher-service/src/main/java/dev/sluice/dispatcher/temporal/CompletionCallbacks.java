package dev.sluice.dispatcher.temporal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.dispatcher.ledger.Claim;
import io.temporal.api.common.v1.Callback;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionRequest;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the Temporal server to tell us when a workflow closes, where it is set up to. What it tells
 * is a hint: it may come late, twice or never.
 */
public final class CompletionCallbacks {
  public static final String PATH = "/internal/callbacks/{workspaceId}/{id}";
  public static final String PROOF_HEADER = "sluice-proof";

  private static final Logger log = LoggerFactory.getLogger(CompletionCallbacks.class);

  private final CallbackSettings settings;
  private volatile boolean refused;

  public CompletionCallbacks(CallbackSettings settings) {
    this.settings = settings;
  }

  public boolean areOn() {
    return !settings.url().isEmpty() && !refused;
  }

  /** True when the header can only come from a callback that one of us asked for. */
  public boolean isOurs(UUID id, String proof) {
    return MessageDigest.isEqual(proof(id).getBytes(UTF_8), proof.getBytes(UTF_8));
  }

  public StartWorkflowExecutionRequest addTo(StartWorkflowExecutionRequest request, Claim claim) {
    if (!areOn()) {
      return request;
    }
    String path =
        PATH.replace("{workspaceId}", claim.workspaceId()).replace("{id}", claim.id().toString());
    return request.toBuilder()
        .addCompletionCallbacks(
            Callback.newBuilder()
                .setNexus(
                    Callback.Nexus.newBuilder()
                        .setUrl(settings.url() + path)
                        .putHeader(PROOF_HEADER, proof(claim.id()))))
        .build();
  }

  /** A server that is not set up for callbacks refuses the start; it is then asked without one. */
  public boolean isRefusal(StartWorkflowExecutionRequest request, Throwable failure) {
    boolean refusal =
        request.getCompletionCallbacksCount() > 0 && Refusal.names(failure, "callback");
    if (refusal && !refused) {
      refused = true;
      log.atWarn()
          .addKeyValue("url", settings.url())
          .log("this Temporal server does not call us back; closes are learnt by long polls alone");
    }
    return refusal;
  }

  private String proof(UUID id) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(settings.secret().getBytes(UTF_8), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(id.toString().getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }
}
