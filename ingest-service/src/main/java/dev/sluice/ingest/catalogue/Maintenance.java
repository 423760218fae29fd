package dev.sluice.ingest.catalogue;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What all dispatchers do.
 *
 * @param generation counts how often the system went back to normal
 * @param drained no longer normal, and nothing is held
 */
public record Maintenance(Mode mode, int generation, boolean drained, long held, long waiting) {

  /** Start work; start nothing new; or also ask what there is to stop. */
  public enum Mode {
    NORMAL,
    DRAIN,
    CANCEL;

    @JsonValue
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Mode> of(String text) {
      return Arrays.stream(values()).filter(mode -> mode.text().equals(text)).findFirst();
    }
  }
}
