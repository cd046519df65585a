package io.holdfast.api.lease;

import io.holdfast.api.message.Position;
import java.util.List;

/**
 * A lease with more time.
 *
 * @param open how many of its messages are still to be settled
 * @param cancelled the messages that were taken out of it by a cancel or a reschedule
 */
public record Extended(long leaseUntilMs, int open, List<Position> cancelled) {
  public Extended {
    cancelled = List.copyOf(cancelled);
  }
}
