package dev.sluice.bench.model;

/** A wait that ends when its time is over, or before, when somebody says so. */
final class Gathering {
  private final Processors processors;
  private final Runnable then;
  private boolean underWay;
  private long begun;

  Gathering(Processors processors, Runnable then) {
    this.processors = processors;
    this.then = then;
  }

  void begin(double longest) {
    underWay = true;
    long mine = ++begun;
    processors.after(
        longest,
        () -> {
          if (underWay && mine == begun) {
            underWay = false;
            then.run();
          }
        });
  }

  void endNow() {
    if (underWay) {
      underWay = false;
      processors.after(0, then);
    }
  }
}
