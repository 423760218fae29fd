package dev.sluice.ingest.status;

/** No more GETs may wait at this instance for now. */
public final class TooManyWaiting extends RuntimeException {
  private static final long serialVersionUID = 1;

  TooManyWaiting(int most) {
    super("%d requests wait already".formatted(most), null, false, false);
  }
}
