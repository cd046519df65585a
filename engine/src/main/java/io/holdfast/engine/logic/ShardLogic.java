package io.holdfast.engine.logic;

import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.Stamp;
import io.holdfast.engine.store.Tx;
import java.util.List;

/**
 * What each command does to a shard: no clock, no randomness, no I/O, no threads.
 *
 * <p>Given the same commands and stamps, every shard reaches the same rows. An expected failure is
 * a {@link Reply.Refused}; an exception means that the engine is wrong, and the shard stops.
 */
public final class ShardLogic {
  private final ShardState state;

  public ShardLogic(ShardState state) {
    this.state = state;
  }

  public ShardState state() {
    return state;
  }

  /** Applies a command: its rows go into the batch, its effects are added to the list. */
  public Reply apply(Stamp stamp, Command command, Tx tx, List<Effect> effects) {
    if (stamp.nowMs() < state.lastMs || stamp.index() <= state.appliedIndex) {
      throw new IllegalStateException("a stamp must not go back: " + stamp);
    }
    state.appliedIndex = stamp.index();
    state.lastMs = stamp.nowMs();
    Turn upkeep = new Turn(stamp, state, tx, effects).forUpkeep();
    boolean moreExpired = Expiry.run(upkeep);
    boolean moreDue = Agenda.run(upkeep);
    if (command instanceof Command.Tick tick) {
      boolean moreToTrim = tick.sweep() && Sweep.run(upkeep);
      return new Reply.Ticked(moreExpired || moreDue || moreToTrim);
    }
    Turn turn = new Turn(stamp, state, tx, effects);
    return switch (command) {
      case Command.PushMessages push -> PushHandler.apply(turn, push);
      case Command.OpenSession open -> Requests.openSession(turn);
      case Command.PopMessages pop -> PopHandler.apply(turn, pop);
      case Command.SettleMessages settle -> SettleHandler.apply(turn, settle.request());
      case Command.ExtendLease extend ->
          LeaseHandler.extend(turn, extend.leaseId(), extend.leaseMs());
      case Command.StartTask start -> Tasks.start(turn, start.request());
      case Command.CommitOperations commit -> CommitHandler.apply(turn, commit);
      case Command.CancelMessage cancel -> CancelHandler.cancel(turn, cancel.message());
      case Command.RescheduleMessage again ->
          CancelHandler.reschedule(turn, again.message(), again.visibleAtMs());
      case Command.ConfigureQueue configure -> QueueHandler.configure(turn, configure.request());
      case Command.PauseQueue pause -> QueueHandler.pause(turn, pause.queue(), pause.paused());
      case Command.PurgeQueue purge -> QueueHandler.purge(turn, purge);
      case Command.DeleteQueue delete -> QueueHandler.delete(turn, delete.queue());
      case Command.SeekGroup seek -> GroupHandler.seek(turn, seek.request(), seek.from());
      case Command.SubscribeGroup subscribe -> GroupHandler.subscribe(turn, subscribe.request());
      case Command.DeleteGroup delete -> GroupHandler.delete(turn, delete);
      case Command.RequeueDead requeue ->
          DeadLetterHandler.requeue(turn, requeue.filter(), requeue.after());
      case Command.RemoveDead remove ->
          DeadLetterHandler.remove(turn, remove.filter(), remove.after());
      case Command.RaiseFormat raise -> state.format.raise(raise.level());
      case Command.Tick tick -> throw new AssertionError("a tick is upkeep alone: " + tick);
    };
  }
}
