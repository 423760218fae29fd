package dev.sluice.ingest.http;

import dev.sluice.contracts.FieldProblem;
import dev.sluice.contracts.FieldReader;
import java.util.ArrayList;
import java.util.UUID;
import java.util.regex.Pattern;

/** Ids as they stand in paths and queries. */
final class Ids {
  static final String ID_PATTERN = "^[A-Za-z0-9_.:-]{1,64}$";

  private static final Pattern CANONICAL_UUID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private Ids() {}

  /**
   * @param namesAndValues names and values in turn
   */
  static void check(String... namesAndValues) {
    var problems = new ArrayList<FieldProblem>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      if (!FieldReader.isId(namesAndValues[i + 1])) {
        problems.add(
            new FieldProblem(namesAndValues[i], "must be 1 to 64 letters, digits or _ . : -"));
      }
    }
    if (!problems.isEmpty()) {
      throw ProblemException.badFields(problems);
    }
  }

  static UUID uuid(String id) {
    // UUID.fromString alone also takes "1-1-1-1-1".
    if (!CANONICAL_UUID.matcher(id).matches()) {
      throw ProblemException.badField("id", "must be a UUID");
    }
    return UUID.fromString(id);
  }
}
