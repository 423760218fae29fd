package dev.sluice.operate;

import java.time.Duration;

/** Checks of settings. What they throw names the setting, its value and an example. */
public final class Check {
  private Check() {}

  public static void atLeast(String setting, long value, long least, String example) {
    that(value >= least, setting, value, "at least " + least, example);
  }

  public static void within(String setting, long value, long least, long most, String example) {
    that(value >= least && value <= most, setting, value, least + " to " + most, example);
  }

  public static void within(
      String setting, Duration value, Duration least, Duration most, String example) {
    that(
        value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
        setting,
        text(value),
        text(least) + " to " + text(most),
        example);
  }

  public static void atLeast(String setting, Duration value, Duration least, String example) {
    that(value.compareTo(least) >= 0, setting, text(value), "at least " + text(least), example);
  }

  public static void positive(String setting, Duration value, String example) {
    that(value.isPositive(), setting, text(value), "above zero", example);
  }

  /** One host and one port: an IPv6 address stands in brackets. */
  public static void address(String setting, String value, String example) {
    boolean looksRight = value.matches("([^\\s/,:]+|\\[[0-9a-fA-F:.]+\\]):\\d{1,5}");
    that(looksRight && port(value) <= 65_535, setting, value, "host:port", example);
  }

  public static void notBlank(String setting, String value, String example) {
    that(!value.isBlank(), setting, value, "something", example);
  }

  public static void that(
      boolean holds, String setting, Object value, String wanted, String example) {
    if (!holds) {
      throw new WrongSetting(setting, String.valueOf(value), "it must be " + wanted, example);
    }
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  /** As people write it: 90s, not PT1M30S. */
  static String text(Duration value) {
    long millis = value.toMillis();
    if (millis == 0 && !value.isZero() || millis % 1000 != 0) {
      return millis == 0 ? value.toNanos() + "ns" : millis + "ms";
    }
    long seconds = value.toSeconds();
    if (seconds % 86_400 == 0 && seconds != 0) {
      return value.toDays() + "d";
    }
    return seconds % 3600 == 0 && seconds != 0 ? value.toHours() + "h" : seconds + "s";
  }
}
