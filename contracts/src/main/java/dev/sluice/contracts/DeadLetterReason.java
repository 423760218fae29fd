package dev.sluice.contracts;

/** Why a record could not become a row: header {@code sluice-reason} of a dead letter. */
public enum DeadLetterReason {
  NO_VALUE,
  NO_KEY,
  KEY_MISMATCH,
  NOT_A_CLOUD_EVENT,
  UNKNOWN_TYPE,
  NOT_JSON,
  INVALID_FIELD,
  TOO_LARGE,
  /** Well formed, but the database refuses it. */
  NOT_STORABLE;

  public static final String REASON_HEADER = "sluice-reason";
  public static final String DETAIL_HEADER = "sluice-detail";
  public static final String ORIGIN_HEADER = "sluice-origin";
}
