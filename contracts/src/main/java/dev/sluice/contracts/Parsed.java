package dev.sluice.contracts;

import java.util.List;

/** What became of untrusted input: a valid value, or everything that is wrong with it. */
public sealed interface Parsed<T> {
  record Valid<T>(T value) implements Parsed<T> {}

  record Invalid<T>(DeadLetterReason reason, List<FieldProblem> problems) implements Parsed<T> {
    public String detail() {
      return String.join("; ", problems.stream().map(FieldProblem::toString).toList());
    }
  }
}
