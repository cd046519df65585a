package io.holdfast.workflow.worker;

import io.holdfast.api.UnreachableException;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.Settle;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.store.Changes;
import io.holdfast.workflow.store.FlowStore;
import io.holdfast.workflow.store.SharedCommits;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores what became of activities: a result with the ack of its message, or how else its delivery
 * ended. Nobody waits for that, and what ends together is stored together; so a flow with many
 * activities gets many results in one turn.
 *
 * <p>Thread: any; what is stored is told on another one.
 */
final class Results {
  private static final Logger LOG = LoggerFactory.getLogger(Results.class);

  private final FlowStore store;
  private final Commits commits;

  Results(FlowStore store, Commits commits) {
    this.store = store;
    this.commits = commits;
  }

  /**
   * Tells a flow, and acks the message that asked for it, in one; nothing if somebody else has the
   * message by now.
   *
   * @param delayMs if the broker does not store it, the work is released for that long
   * @param then told when that is stored, or is of no use any more
   */
  void answer(Handle held, String flow, TurnMessage message, long delayMs, Runnable then) {
    store
        .shared()
        .add(
            new Ended(store.changes().ack(List.of(held)).send(flow, message), then) {
              @Override
              void alone(@Nullable UnreachableException inDoubt) {
                // What was stored all the same is known by its ack.
                Commits.Outcome outcome =
                    commits.commit(
                        List.of(held),
                        left -> left.isEmpty() ? store.changes() : store.changes().add(changes()));
                if (outcome == Commits.Outcome.REFUSED) {
                  commits.release(List.of(held), delayMs);
                }
              }
            });
  }

  /**
   * Ends a delivery without a word to the flow.
   *
   * @param then told when that is stored, or is of no use any more
   */
  void settle(Settle settle, Runnable then) {
    store
        .shared()
        .add(
            new Ended(store.changes().settle(settle), then) {
              @Override
              void alone(@Nullable UnreachableException inDoubt) {
                commits.settle(List.of(settle));
              }
            });
  }

  /** An activity that has ended. */
  private abstract static class Ended implements SharedCommits.Part {
    private final Changes changes;
    private final Runnable then;

    Ended(Changes changes, Runnable then) {
      this.changes = changes;
      this.then = then;
    }

    abstract void alone(@Nullable UnreachableException inDoubt);

    @Override
    public Changes changes() {
      return changes;
    }

    @Override
    public void stored() {
      then.run();
    }

    @Override
    public void apart(@Nullable UnreachableException inDoubt) {
      try {
        alone(inDoubt);
      } catch (RuntimeException | Error trouble) {
        LOG.warn("An activity comes back when its lease ends, for the broker failed.", trouble);
      } finally {
        then.run();
      }
    }
  }
}
