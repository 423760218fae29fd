package dev.sluice.contracts;

/** Why an item is FAILED, as the producer sees it in {@code failure.code}. */
public enum FailureCode {
  UNKNOWN_WORKSPACE(Kind.REQUEST),
  UNKNOWN_DEFINITION(Kind.REQUEST),
  UNKNOWN_VERSION(Kind.REQUEST),
  BACKLOG_FULL(Kind.REQUEST),
  /** Another with its partition key waits or runs, and the definition says to reject it then. */
  COLLISION(Kind.REQUEST),
  /** Temporal refused the start, as often as the definition allows. */
  START_REJECTED(Kind.ITEM),
  /** Temporal refused it because of its size. */
  PAYLOAD_TOO_LARGE(Kind.ITEM);

  /** Whose fault it is. An outage has no code here: an outage fails no item. */
  public enum Kind {
    /** The request names something that is not there. */
    REQUEST,
    /** The item itself cannot be started. */
    ITEM
  }

  private final Kind kind;

  FailureCode(Kind kind) {
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
