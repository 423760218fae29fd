package dev.sluice.chaos;

import dev.sluice.chaos.load.Api;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What Sluice shows of requests. */
final class Statuses {
  private final Api api;

  Statuses(Api api) {
    this.api = api;
  }

  String of(UUID id) {
    var answer = get("executions/" + id);
    return answer.status() == 200
        ? answer.body().path("status").asString()
        : "HTTP-" + answer.status();
  }

  List<String> failed(List<String> workspaces) {
    var failed = new ArrayList<String>();
    for (String workspace : workspaces) {
      var answer = get("workspaces/" + workspace + "/executions?status=FAILED&limit=100");
      if (answer.status() != 200) {
        throw new IllegalStateException("the list of FAILED answered " + answer.status());
      }
      for (var item : answer.body().path("items")) {
        failed.add(
            "%s %s %s"
                .formatted(workspace, item.path("id").asString(), item.path("failure").toString()));
      }
    }
    return failed;
  }

  private Api.Answer get(String path) {
    try {
      return api.get(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
