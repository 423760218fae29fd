package dev.sluice.bench.report;

import dev.sluice.contracts.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** For programs: the shape that API.md fixes. */
public final class JsonReport {
  private JsonReport() {}

  public static String of(Map<String, Object> machine, List<Row> rows) {
    var root = Json.MAPPER.createObjectNode();
    root.set("machine", Json.MAPPER.valueToTree(machine));
    var list = root.putArray("rows");
    for (Row row : rows) {
      var one = list.addObject();
      one.put("name", row.name());
      one.put("value", row.value());
      one.put("unit", row.unit());
      var samples = one.putArray("samples");
      row.samples().forEach(samples::add);
    }
    return Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
  }

  public static Path write(Path folder, String name, Map<String, Object> machine, List<Row> rows)
      throws IOException {
    Path file = Files.createDirectories(folder).resolve(name + ".json");
    return Files.writeString(file, of(machine, rows));
  }
}
