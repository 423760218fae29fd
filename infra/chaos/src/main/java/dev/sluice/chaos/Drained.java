package dev.sluice.chaos;

import dev.sluice.chaos.load.Api;
import dev.sluice.chaos.stack.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Whether nothing waits and nothing is held, in the topic and in any workspace. */
final class Drained {
  private final Api api;
  private final List<String> workspaces;

  Drained(Api api, List<String> workspaces) {
    this.api = api;
    this.workspaces = workspaces;
  }

  boolean await(Duration longest) {
    return Await.within(longest, this::now);
  }

  boolean now() {
    try {
      var lag = api.get("lag");
      if (lag.status() != 200 || lag.body().path("totalLag").asLong(1) > 0) {
        return false;
      }
      for (String workspace : workspaces) {
        var state = api.get("workspaces/" + workspace);
        if (state.status() != 200
            || state.body().path("held").asInt(1) + state.body().path("waiting").asInt(1) > 0) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
