package io.holdfast.workflow.worker;

import io.holdfast.api.UnreachableException;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.lease.Handle;
import io.holdfast.workflow.BlockCause;
import io.holdfast.workflow.Failure;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.ExecutionId;
import io.holdfast.workflow.history.Parent;
import io.holdfast.workflow.message.Forms;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.replay.Execution;
import io.holdfast.workflow.store.Changes;
import io.holdfast.workflow.store.FlowRecord;
import io.holdfast.workflow.store.SharedCommits;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One turn of an execution: its code runs as far as it can, and all that follows is stored at once
 * with the acks of what it was given.
 *
 * <p>Thread: one after the other: who runs it, then who stores it.
 */
final class Advance {
  private static final Logger LOG = LoggerFactory.getLogger(Advance.class);

  /** How a turn ended. */
  sealed interface Outcome {
    /** All of it is stored, or is somebody else's now. */
    record Over() implements Outcome {}

    /** Somebody else has changed the flow: look again. */
    record Behind() implements Outcome {}

    /** The flow cannot go on. */
    record Stuck(BlockCause cause, String reason) implements Outcome {}

    /** The broker did not store it, and the flow is not to blame. */
    record Refused() implements Outcome {}
  }

  private final Tools tools;
  private final Commits commits;
  private final String id;
  private final List<Handle> held;
  private final Fence fence;
  private final Execution execution;
  private final @Nullable FlowRecord loaded;
  private Consumer<Changes> first;
  private @Nullable FlowRecord saved;
  private FlowRecord flow;
  private int events;

  /**
   * A turn that is to be taken.
   *
   * @param fence what is stored before the end of the turn rests on it
   * @param saved the record as it is stored; null if there is none
   * @param flow the record as it is to be
   * @param first what else is to change with the first commit
   */
  Advance(
      Tools tools,
      Commits commits,
      String id,
      List<Handle> held,
      Fence fence,
      @Nullable FlowRecord saved,
      FlowRecord flow,
      Execution execution,
      Consumer<Changes> first) {
    this.tools = tools;
    this.commits = commits;
    this.id = id;
    this.held = held;
    this.fence = fence;
    this.loaded = saved;
    this.saved = saved;
    this.flow = flow;
    this.execution = execution;
    this.first = first;
  }

  ExecutionId executionId() {
    return execution.id();
  }

  /**
   * Runs the code, and has all that follows stored.
   *
   * @param then told how the turn ended, on another thread, if that is not known at once
   * @return how the turn ended; null if it is being stored
   */
  @Nullable Outcome run(List<Event> inputs, boolean replayed, Consumer<Outcome> then) {
    long begun = tools.config().time().nanos();
    Execution.State state = execution.advance(inputs);
    while (state == Execution.State.CHECKPOINT || state == Execution.State.UNCONFIRMED) {
      Commits.Outcome stored = confirmOrStore(state);
      if (stored != Commits.Outcome.DONE) {
        return over(stored);
      }
      state = execution.resume();
    }
    if (state == Execution.State.BROKEN) {
      execution.giveUp();
      return new Outcome.Stuck(BlockCause.CODE_DIFFERS, execution.broken());
    }
    if (!replayed && events == 0 && execution.fresh().isEmpty()) {
      // Nothing would be appended, so nothing would tell that this memory is an old one, and that
      // what came is for a task it does not know.
      return over(Commits.Outcome.BEHIND);
    }
    Event last = execution.fresh().isEmpty() ? null : execution.fresh().getLast();
    Consumer<Changes> ending =
        state == Execution.State.ENDED && last != null ? end(last) : changes -> {};
    Storing all = new Storing(held, (changes, storing) -> saveLast(changes, storing, ending));
    Execution.State now = state;
    tools
        .store()
        .shared()
        .add(
            new Last(all) {
              @Override
              void ended(Commits.Outcome stored) {
                then.accept(finished(all, stored, now, replayed, begun));
              }
            });
    return null;
  }

  /** Runs the code, and waits until all that follows is stored. */
  Outcome runAndWait(List<Event> inputs, boolean replayed) {
    CompletableFuture<Outcome> later = new CompletableFuture<>();
    Outcome outcome = run(inputs, replayed, later::complete);
    return outcome == null ? later.join() : outcome;
  }

  /** What is left to do when the last of a turn is stored, or is not. */
  private Outcome finished(
      Storing all, Commits.Outcome stored, Execution.State state, boolean replayed, long begun) {
    if (stored != Commits.Outcome.DONE) {
      return over(stored);
    }
    all.done();
    try {
      tell(state, replayed, tools.config().time().nanos() - begun);
    } catch (RuntimeException wrong) {
      LOG.warn("Who listens to flows failed to hear of a turn of {}.", id, wrong);
    }
    if (state == Execution.State.WAITING) {
      tools.sticky().keep(id, new Sticky.Kept(flow, execution));
    }
    return new Outcome.Over();
  }

  /** The last commit of a turn, for which nobody waits. */
  private abstract static class Last implements SharedCommits.Part {
    private final Storing all;
    private final Changes changes;

    Last(Storing all) {
      this.all = all;
      this.changes = all.changes(all.acked);
    }

    abstract void ended(Commits.Outcome stored);

    @Override
    public Changes changes() {
      return changes;
    }

    @Override
    public void stored() {
      ended(Commits.Outcome.DONE);
    }

    @Override
    public void apart(@Nullable UnreachableException inDoubt) {
      Commits.Outcome outcome = Commits.Outcome.REFUSED;
      try {
        // What was stored all the same is known by its acks.
        outcome = all.commit(committed -> {});
      } catch (RuntimeException | Error trouble) {
        LOG.warn("A turn was not stored, and will come again.", trouble);
      } finally {
        ended(outcome);
      }
    }
  }

  private void tell(Execution.State state, boolean replayed, long nanos) {
    if (loaded == null || loaded.isNew()) {
      tools.listener().started(id, flow.name());
    }
    tools.listener().turn(id, events, nanos, replayed);
    if (state == Execution.State.ENDED && flow.isEnded()) {
      tools.listener().ended(id, flow.name(), flow.status());
    }
  }

  private Outcome over(Commits.Outcome stored) {
    execution.giveUp();
    return switch (stored) {
      case BEHIND -> new Outcome.Behind();
      case TOO_LARGE ->
          new Outcome.Stuck(
              BlockCause.TURN_TOO_LARGE,
              "What one turn of the flow brings about is too large to be stored.");
      case REFUSED -> new Outcome.Refused();
      default -> new Outcome.Over();
    };
  }

  /** Makes sure that the code may go on: as it is, or after what is new has been stored. */
  private Commits.Outcome confirmOrStore(Execution.State state) {
    if (state == Execution.State.UNCONFIRMED) {
      return fence.isCurrent() ? Commits.Outcome.DONE : Commits.Outcome.BEHIND;
    }
    return fence.stands() ? storePart() : Commits.Outcome.LOST;
  }

  /** Stores what is new while the code has more to do. */
  private Commits.Outcome storePart() {
    Storing part =
        new Storing(
            List.of(),
            (changes, storing) -> changes.save(id, fence.version(), storing.old, storing.now));
    Commits.Outcome outcome = part.commit(fence::stored);
    if (outcome == Commits.Outcome.DONE) {
      part.done();
    }
    return outcome;
  }

  /** A record is written if it is another object than the one that is stored. */
  @SuppressWarnings("ReferenceEquality")
  private void saveLast(Changes changes, Storing storing, Consumer<Changes> ending) {
    if (storing.old != storing.now) {
      changes.save(id, storing.old, storing.now);
    }
    ending.accept(changes);
  }

  /** What of a turn is stored in one commit. */
  private final class Storing {
    private final List<Handle> acked;
    private final BiConsumer<Changes, Storing> record;
    private final List<Event> fresh = List.copyOf(execution.fresh());
    private final long position = execution.position();
    private final Consumer<Changes> before = first;
    private final @Nullable FlowRecord old = saved;
    private final FlowRecord now;

    Storing(List<Handle> acked, BiConsumer<Changes, Storing> record) {
      this.acked = acked;
      this.record = record;
      for (Event event : fresh) {
        if (event instanceof Event.StatusSet status) {
          flow = flow.label(status.status());
        }
      }
      this.now = flow;
    }

    Changes changes(List<Handle> left) {
      Changes changes = tools.store().changes().ack(left);
      before.accept(changes);
      changes.append(execution.id(), position, fresh).effects(execution.id(), position, fresh);
      record.accept(changes, this);
      return changes;
    }

    Commits.Outcome commit(Consumer<Committed> answered) {
      return commits.commit(acked, this::changes, answered);
    }

    /** It is stored. */
    void done() {
      events += fresh.size();
      execution.stored(0);
      first = changes -> {};
      saved = now;
    }
  }

  private Consumer<Changes> end(Event end) {
    long nowMs = end.timeMs();
    Parent parent = flow.parent();
    return switch (end) {
      case Event.FlowCompleted e -> {
        flow = flow.ended(FlowStatus.COMPLETED, e.output(), null, nowMs);
        yield changes -> changes.answer(parent, e.output());
      }
      case Event.FlowFailed e -> {
        flow = flow.ended(FlowStatus.FAILED, null, e.failure(), nowMs);
        yield changes -> changes.fail(parent, e.failure());
      }
      case Event.FlowCancelled e -> {
        Failure failure = Failure.of(Failure.CANCELLED, e.reason());
        flow = flow.ended(FlowStatus.CANCELLED, null, failure, nowMs);
        yield changes -> changes.fail(parent, failure);
      }
      case Event.ContinuedAsNew e -> continued(e);
      default -> throw new IllegalStateException("not an end: " + end);
    };
  }

  private Consumer<Changes> continued(Event.ContinuedAsNew event) {
    long next = Math.max(1, flow.execution()) + 1;
    String version = flow.version();
    Orchestration<?, ?> newest = tools.registry().flow(flow.name(), null);
    if (version == null || (event.newest() && newest != null)) {
      version = newest == null ? "1.0" : newest.version();
    }
    List<Event.Received> unread = execution.unread();
    List<byte[]> left =
        unread.stream()
            .map(e -> Forms.TURN.write(new TurnMessage.Raise(e.id(), e.name(), e.data())))
            .toList();
    Set<String> taken = new LinkedHashSet<>(execution.seen());
    unread.forEach(e -> taken.remove(e.id()));
    Event.Started started =
        new Event.Started(
            event.timeMs(), flow.name(), version, event.input(), flow.parent(), List.copyOf(taken));
    long kept = flow.inbox();
    long oldest = Math.max(flow.oldest(), next - tools.config().executionsKept() + 1);
    long forgotten = flow.oldest();
    flow = flow.execution(next, version, oldest).inbox(kept + left.size());
    return changes -> {
      ExecutionId following = execution.id().withNumber(next);
      changes.append(following, 0, List.of(started)).keep(id, kept, left);
      for (long number = forgotten; number < oldest; number++) {
        changes.forget(following.withNumber(number));
      }
      changes.send(id, new TurnMessage.Continue(following));
    };
  }
}
