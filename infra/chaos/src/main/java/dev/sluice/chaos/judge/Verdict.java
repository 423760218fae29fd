package dev.sluice.chaos.judge;

import java.util.ArrayList;
import java.util.List;

/** What a run showed, as a table for people. */
public final class Verdict {
  /**
   * One line of it.
   *
   * @param wanted empty for what is only told
   */
  public record Row(String name, String value, String wanted, boolean good) {}

  private final List<Row> rows = new ArrayList<>();
  private final List<String> details = new ArrayList<>();

  public void tell(String name, Object value) {
    rows.add(new Row(name, String.valueOf(value), "", true));
  }

  public void mustBeNone(String name, List<String> found) {
    rows.add(new Row(name, Integer.toString(found.size()), "0", found.isEmpty()));
    found.stream().limit(20).forEach(one -> details.add(name + ": " + one));
  }

  public void must(String name, String value, String wanted, boolean good) {
    rows.add(new Row(name, value, wanted, good));
  }

  public boolean isGood() {
    return rows.stream().allMatch(Row::good);
  }

  public List<Row> rows() {
    return List.copyOf(rows);
  }

  @Override
  public String toString() {
    int name = rows.stream().mapToInt(row -> row.name().length()).max().orElse(0);
    int value = rows.stream().mapToInt(row -> row.value().length()).max().orElse(0);
    var text = new StringBuilder();
    for (Row row : rows) {
      String judged = row.wanted().isEmpty() ? "" : row.good() ? "ok" : "BROKEN";
      String wanted = row.wanted().isEmpty() ? "" : "wanted " + row.wanted();
      text.append(
          ("  %-" + name + "s  %-" + value + "s  %-6s  %s")
              .formatted(row.name(), row.value(), judged, wanted)
              .stripTrailing());
      text.append('\n');
    }
    details.forEach(detail -> text.append("  ! ").append(detail).append('\n'));
    return text.append(isGood() ? "  GOOD\n" : "  BROKEN\n").toString();
  }
}
