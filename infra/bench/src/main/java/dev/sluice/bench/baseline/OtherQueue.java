package dev.sluice.bench.baseline;

/** A queue on PostgreSQL whose tasks do nothing. */
public interface OtherQueue extends AutoCloseable {
  /** Hands in so many at once; answers how many a second were handed in, run and written back. */
  double rate(int items) throws InterruptedException;

  @Override
  void close();
}
