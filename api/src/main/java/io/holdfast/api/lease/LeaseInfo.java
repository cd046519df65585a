package io.holdfast.api.lease;

import org.jspecify.annotations.Nullable;

/**
 * A lease, live or remembered.
 *
 * @param queue where it took its messages from; null if that has been deleted since
 * @param group whose lease it is; null if it is over
 * @param worker who holds it; null if nobody said, or if it is over
 * @param untilMs when it ends, or if it is over, until when it is remembered
 * @param open how many messages it still holds
 */
public record LeaseInfo(
    String id,
    State state,
    @Nullable String queue,
    @Nullable String group,
    @Nullable String worker,
    long untilMs,
    int open) {
  /** What became of a lease. */
  public enum State {
    LIVE,
    /** Every message of it was settled by its holder. */
    SETTLED,
    /** It expired, or messages of it were given back or taken away. */
    LOST
  }
}
