package dev.sluice.ingest;

/** Defaults that follow from the size of the machine. */
public final class Settings {
  /** What Tomcat and Spring hold for a request while it waits, as measured, and some more. */
  private static final int BYTES_OF_A_REQUEST = 128 * 1024;

  private Settings() {}

  public static int requestsInAQuarterOfTheHeap() {
    return (int) Math.max(100, Runtime.getRuntime().maxMemory() / 4 / BYTES_OF_A_REQUEST);
  }
}
