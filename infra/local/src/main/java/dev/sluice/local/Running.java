package dev.sluice.local;

/**
 * A part that is up.
 *
 * @param address as other parts use it
 * @param shown as it stands in the ready line
 * @param callbacks whether it calls us back over HTTP when a workflow closes
 */
record Running(Part part, String address, String shown, boolean callbacks, AutoCloseable stop) {

  static Running started(Part part, String address, String shown, AutoCloseable stop) {
    return new Running(part, address, shown, false, stop);
  }

  /** A server of somebody else's: used, never stopped. */
  static Running given(Part part, String address) {
    return new Running(part, address, address + " (given)", false, () -> {});
  }
}
