package dev.sluice.dispatcher.temporal;

import dev.sluice.operate.Check;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Whether and how the Temporal server may tell us of closes.
 *
 * @param url where the Temporal server reaches this dispatcher, like http://10.0.0.7:8081; without
 *     one no callbacks are asked for
 * @param secret shared by all dispatchers; without one each makes its own, and a callback that
 *     reaches another dispatcher is not believed
 */
@ConfigurationProperties("sluice.callbacks")
public record CallbackSettings(String url, String secret) {
  public CallbackSettings(@Nullable String url, @Nullable String secret) {
    this.url = url == null ? "" : url.replaceAll("/+$", "");
    this.secret = secret == null || secret.isEmpty() ? UUID.randomUUID().toString() : secret;
    Check.that(
        this.url.isEmpty() || this.url.matches("https?://[^/\\s]+"),
        "sluice.callbacks.url",
        this.url,
        "where the Temporal server reaches this dispatcher",
        "http://10.0.0.7:8081");
  }

  @Override
  public String toString() {
    return "CallbackSettings[url=" + url + "]";
  }
}
