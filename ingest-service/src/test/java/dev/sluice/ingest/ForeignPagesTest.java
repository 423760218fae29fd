package dev.sluice.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;

class ForeignPagesTest {
  private final Ingest ingest = Ingest.shared();

  @Test
  void aPageOfAnotherOriginCannotActInAnOperatorsBrowser() {
    ingest.put("/v1/workspaces/guarded", "{\"plan\":\"FREE\"}");
    assertThat(pauseWith("Sec-Fetch-Site", "cross-site")).isEqualTo(403);
    assertThat(pauseWith("Sec-Fetch-Site", "same-site")).isEqualTo(403);
    assertThat(pauseWith("Origin", "http://elsewhere.example")).isEqualTo(403);
    assertThat(pauseWith("Origin", "null")).isEqualTo(403);
    assertThat(ingest.get("/v1/workspaces/guarded").json().get("paused").asBoolean()).isFalse();
  }

  @Test
  void ourPageAndWhoeverIsNoBrowserCan() {
    ingest.put("/v1/workspaces/open", "{\"plan\":\"FREE\"}");
    assertThat(pause("open", HttpRequest.newBuilder())).isEqualTo(200);
    assertThat(pause("open", HttpRequest.newBuilder().header("Sec-Fetch-Site", "same-origin")))
        .isEqualTo(200);
    assertThat(
            pause(
                "open",
                HttpRequest.newBuilder()
                    .header("Origin", "http://" + URI.create(ingest.url()).getAuthority())))
        .isEqualTo(200);
  }

  private int pauseWith(String header, String value) {
    return pause("guarded", HttpRequest.newBuilder().header(header, value));
  }

  private int pause(String workspace, HttpRequest.Builder request) {
    return ingest
        .send(request.POST(BodyPublishers.noBody()), "/v1/workspaces/" + workspace + "/pause")
        .status();
  }
}
