package io.holdfast.engine.logic;

import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Command.Tick.SweepFrom;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.Stamp;
import io.holdfast.engine.store.Tx;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What each command does to a shard: no clock, no randomness, no I/O, no threads.
 *
 * <p>Given the same commands and stamps, every shard reaches the same rows. An expected failure is
 * a {@link Reply.Refused}; an exception means that the engine is wrong, and the shard stops.
 */
public final class ShardLogic {
  private final ShardState state;
  private final SweepSearch sweeps = new SweepSearch();

  public ShardLogic(ShardState state) {
    this.state = state;
  }

  public ShardState state() {
    return state;
  }

  /**
   * Decides whether a command needs an entry of the log, from the state before the entry. Clear
   * payloads for encrypted queues never get into one.
   *
   * @param clock the time, if it is needed
   * @param encrypting queues whose encryption commands that are not applied yet may turn on
   */
  public Screened screen(Command command, Tx tx, LongSupplier clock, Set<String> encrypting) {
    return switch (command) {
      case Command.PushMessages push ->
          screened(PushHandler.unsealed(state, push.lanes(), encrypting));
      case Command.CommitOperations commit ->
          screened(PushHandler.unsealed(state, CommitHandler.pushes(commit.parts()), encrypting));
      case Command.PopMessages pop -> screen(pop, look(tx, clock));
      case Command.Tick tick -> screen(tick, look(tx, clock));
      default -> Screened.NEEDED;
    };
  }

  private static Screened screened(@Nullable Reply known) {
    return known == null ? Screened.NEEDED : new Screened.Answered(known);
  }

  /** A turn that only reads. */
  private Turn look(Tx tx, LongSupplier clock) {
    long nowMs = Math.max(clock.getAsLong(), state.lastMs);
    return new Turn(new Stamp(state.appliedIndex, nowMs, 0), state, tx, List.of());
  }

  private Screened screen(Command.PopMessages pop, Turn look) {
    // Due work may give it something to take.
    boolean isDue = state.nextDueMs() <= look.nowMs();
    return isDue ? Screened.NEEDED : screened(EmptyPop.withoutEntry(look, pop));
  }

  private Screened screen(Command.Tick tick, Turn look) {
    SweepFrom sweep = tick.sweep() == null ? null : sweeps.next(look);
    return sweep == null && state.nextDueMs() > look.nowMs()
        ? new Screened.Answered(new Reply.Ticked(false))
        : new Screened.Replaced(new Command.Tick(sweep));
  }

  /** Whether a command needs an entry. */
  public sealed interface Screened {
    Screened NEEDED = new Needed();

    /** The command needs one. */
    record Needed() implements Screened {}

    /** Another command, in its place, needs one. */
    record Replaced(Command by) implements Screened {}

    /** The command would change nothing; this is its answer. */
    record Answered(Reply reply) implements Screened {}
  }

  /** Applies a command: its rows go into the batch, its effects are added to the list. */
  public Reply apply(Stamp stamp, Command command, Tx tx, List<Effect> effects) {
    Reply reply = run(stamp, command, tx, effects);
    state.answers.add(reply);
    return reply;
  }

  private Reply run(Stamp stamp, Command command, Tx tx, List<Effect> effects) {
    if (stamp.nowMs() < state.lastMs || stamp.index() <= state.appliedIndex) {
      throw new IllegalStateException("a stamp must not go back: " + stamp);
    }
    state.appliedIndex = stamp.index();
    state.lastMs = stamp.nowMs();
    Turn upkeep = new Turn(stamp, state, tx, effects).forUpkeep();
    boolean moreExpired = Expiry.run(upkeep);
    boolean moreDue = Agenda.run(upkeep);
    if (command instanceof Command.Tick tick) {
      boolean moreToTrim = tick.sweep() != null && Sweep.run(upkeep, tick.sweep());
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
      case Command.SetLimits set -> {
        state.limits(set.limits());
        yield new Reply.LimitsSet();
      }
      case Command.RaiseFormat raise -> state.format.raise(raise.level());
      case Command.Tick tick -> throw new AssertionError("a tick is upkeep alone: " + tick);
    };
  }
}
