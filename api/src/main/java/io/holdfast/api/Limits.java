package io.holdfast.api;

/** The limits of a request that do not depend on a broker's configuration. */
public final class Limits {
  /** Longest time anything may be asked to lie ahead or to last: a hundred years. */
  public static final long DURATION_MS_MAX = 100L * 365 * 24 * 3600 * 1000;

  /** Most messages one push or one pop may carry. */
  public static final int BATCH_MAX = 10_000;

  /** Most settles or commit operations one request may carry. */
  public static final int OPERATIONS_MAX = 10_000;

  /** Most partitions one pop may take from. */
  public static final int POP_PARTITIONS_MAX = 1_000;

  /** Longest a pop, an extend or a record read may wait. */
  public static final long WAIT_MS_MAX = 10 * 60 * 1000;

  /** Longest time for which a pop may leave partitions to the workers that had them last. */
  public static final long STICKY_MS_MAX = 1_000;

  /** Longest lease. */
  public static final long LEASE_MS_MAX = 7L * 24 * 3600 * 1000;

  /** Most rows of one page. */
  public static final int PAGE_MAX = 1_000;

  /** Most headers of one message. */
  public static final int HEADERS_MAX = 64;

  /** An error text is kept up to this many characters. */
  public static final int ERROR_CHARS_MAX = 2_000;

  /** Most slots of a producer session: requests that one session may have under way. */
  public static final int SESSION_SLOTS_MAX = 1_000;

  /** How long a broker remembers the answer to a request id at least. */
  public static final long REQUEST_ID_MS = 10 * 60 * 1000;

  private Limits() {}
}
