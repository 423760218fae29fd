package dev.sluice.local;

/** A part could not be started; the cause says why. */
final class PartFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Part part;

  PartFailed(Part part, RuntimeException cause) {
    super(part.label() + " did not start", cause);
    this.part = part;
  }

  Part part() {
    return part;
  }
}
