package io.holdfast.engine.logic;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.Stamp;
import io.holdfast.engine.store.StoreException;
import io.holdfast.engine.store.Tx;
import java.util.ArrayList;
import java.util.List;

/**
 * One command being applied: its stamp, the state, the rows, the effects it asks for, and what its
 * loops may still read and write.
 */
record Turn(Stamp stamp, ShardState state, Tx tx, List<Effect> effects, CommandBudget budget) {
  Turn(Stamp stamp, ShardState state, Tx tx, List<Effect> effects) {
    this(stamp, state, tx, effects, CommandBudget.ofRequest(tx, state.limits()));
  }

  /** The same with the budget of upkeep, to be spent before that of the request. */
  Turn forUpkeep() {
    return new Turn(stamp, state, tx, effects, CommandBudget.ofUpkeep(tx, state.limits()));
  }

  long nowMs() {
    return stamp.nowMs();
  }

  Totals totals() {
    return state.totals;
  }

  /**
   * Wakes pops that may take from a partition, also if its queue has no group yet: a pop over all
   * queues of a namespace makes its group in a new queue when it looks there.
   */
  void wake(Partition partition) {
    Queue queue = partition.queue;
    List<Effect.Preferred> preferred = List.of();
    for (Subscription subscription : partition.subscriptions) {
      if (subscription.isSticky()) {
        preferred = preferred.isEmpty() ? new ArrayList<>(1) : preferred;
        preferred.add(new Effect.Preferred(subscription.group.name, subscription.worker));
      }
    }
    Effect wake = new Effect.WakePops(queue.name, partition.name, queue.rules.tags, preferred);
    if (effects.isEmpty() || !effects.getLast().equals(wake)) {
      effects.add(wake);
    }
  }

  /**
   * A failed read may decide an answer only where no other node has to give the same.
   *
   * @throws StoreException on a node of a cluster, which has to stop
   */
  void requireOwnDisk(StoreException unreadable) {
    if (state.isReplica()) {
      throw unreadable;
    }
  }

  static Reply refused(ErrorCode code, String detail) {
    return new Reply.Refused(Refusal.of(code, detail));
  }
}
