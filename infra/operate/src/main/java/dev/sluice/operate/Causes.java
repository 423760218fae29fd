package dev.sluice.operate;

/** Why, in the words of whoever failed first. */
final class Causes {
  private static final int LONGEST = 200;

  private Causes() {}

  static String innermost(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String said = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    String line = said.lines().findFirst().orElse("").replaceAll("[.;\\s]+$", "");
    return line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
  }
}
