package io.holdfast.engine.logic;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.Stamp;
import io.holdfast.engine.store.Tx;
import java.util.List;

/** One command being applied: its stamp, the state, the rows, and the effects it asks for. */
record Turn(Stamp stamp, ShardState state, Tx tx, List<Effect> effects) {
  long nowMs() {
    return stamp.nowMs();
  }

  Totals totals() {
    return state.totals;
  }

  void wake(Partition partition) {
    if (!partition.queue.groups.isEmpty()) {
      Effect wake = new Effect.WakePops(partition.queue.name, partition.name);
      if (effects.isEmpty() || !effects.getLast().equals(wake)) {
        effects.add(wake);
      }
    }
  }

  static Reply refused(ErrorCode code, String detail) {
    return new Reply.Refused(Refusal.of(code, detail));
  }
}
