package dev.sluice.servers;

/** A server could not be started. The message is one sentence for the user that says what to do. */
public final class CannotStart extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CannotStart(String sentence) {
    super(sentence);
  }

  public CannotStart(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
