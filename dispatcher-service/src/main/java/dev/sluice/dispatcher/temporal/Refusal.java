package dev.sluice.dispatcher.temporal;

import io.grpc.Status;
import java.util.stream.Stream;

/** What a server says that does not take a request as it is. */
public final class Refusal {
  private Refusal() {}

  /** Whether it was refused for its contents, and one of these is named as the reason. */
  public static boolean names(Throwable failure, String... reasons) {
    Status status = Status.fromThrowable(failure);
    String said = said(failure);
    return status.getCode() == Status.Code.INVALID_ARGUMENT
        && Stream.of(reasons).anyMatch(said::contains);
  }

  public static String said(Throwable failure) {
    String said = Status.fromThrowable(failure).getDescription();
    return said == null ? "" : said;
  }
}
