package dev.sluice.dispatcher;

/** In which order the parts start; they stop the other way round. */
final class Phases {
  static final int PIPELINE = 100;
  static final int WAKER = 200;
  static final int CONSUMER = 300;
  static final int SENDING = 400;

  private Phases() {}
}
