package dev.sluice.contracts;

/**
 * One thing wrong with a request: which field, and what to do about it.
 *
 * @param field the field's name, with a path where it is nested; empty for the document itself
 */
public record FieldProblem(String field, String message) {
  @Override
  public String toString() {
    return field.isEmpty() ? message : field + ": " + message;
  }
}
