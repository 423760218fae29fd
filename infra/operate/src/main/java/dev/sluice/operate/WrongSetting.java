package dev.sluice.operate;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A setting that stops the start. Its message is the one sentence that the user reads. */
public final class WrongSetting extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private static final Pattern SECRET =
      Pattern.compile("(?i).*(password|secret|token|credential|jaas|private).*");

  /**
   * @param problem what is wrong, like "it must be at least 1"
   */
  public WrongSetting(String setting, String value, String problem, String example) {
    this(setting, value, problem, example, null);
  }

  public WrongSetting(
      String setting, String value, String problem, String example, @Nullable Throwable cause) {
    super(
        "%s is \"%s\"; %s, for example %s"
            .formatted(setting, shown(setting, value), problem, example),
        cause);
  }

  /** Never a secret, nor one that stands inside a URL. */
  static String shown(String setting, String value) {
    if (SECRET.matcher(setting).matches()) {
      return "…";
    }
    return value
        .replaceAll("//[^/@\\s]*@", "//…@")
        .replaceAll("(?i)(password|secret|token)=[^&\\s]*", "$1=…");
  }
}
