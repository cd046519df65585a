package io.holdfast.api.commit;

import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.PushedMessage;
import java.util.List;

/** What each operation of a commit did, in the order of the request. */
public record Committed(List<Step> steps) {
  /** What one operation did. */
  public sealed interface Step {
    record MessageSettled(SettleVerdict verdict) implements Step {}

    record MessagePushed(PushedMessage message) implements Step {}

    /** {@code found} says whether there was a message to cancel. */
    record MessageCancelled(boolean found) implements Step {}

    /** {@code position} is how many events the journal holds now. */
    record JournalAppended(long position) implements Step {}

    record JournalDeleted(boolean found) implements Step {}

    record RecordPut(long version) implements Step {}

    record RecordDeleted(boolean found) implements Step {}

    /** {@code count} is of how many groups. */
    record DeadRemoved(long count) implements Step {}
  }

  public Committed {
    steps = List.copyOf(steps);
  }
}
