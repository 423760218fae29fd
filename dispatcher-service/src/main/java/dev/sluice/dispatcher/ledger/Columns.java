package dev.sluice.dispatcher.ledger;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Rows turned into one array per column, for {@code unnest}: a statement for any number of rows.
 */
final class Columns {
  private Columns() {}

  /** As text, which PostgreSQL casts to what the statement says; null stays null. */
  static <T> Object of(List<T> rows, Function<T, @Nullable Object> column) {
    var values = new String[rows.size()];
    for (int i = 0; i < values.length; i++) {
      Object value = column.apply(rows.get(i));
      values[i] = value == null ? null : value.toString();
    }
    return values;
  }
}
