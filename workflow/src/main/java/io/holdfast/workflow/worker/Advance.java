package io.holdfast.workflow.worker;

import io.holdfast.api.Committed;
import io.holdfast.api.Handle;
import io.holdfast.workflow.Failure;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.Parent;
import io.holdfast.workflow.message.Forms;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.replay.Execution;
import io.holdfast.workflow.store.Changes;
import io.holdfast.workflow.store.FlowRecord;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One turn of an execution: its code runs as far as it can, and all that follows is stored at once
 * with the acks of what it was given.
 *
 * <p>Thread: one.
 */
final class Advance {
  /** How a turn ended. */
  sealed interface Outcome {
    /** All of it is stored, or is somebody else's now. */
    record Over() implements Outcome {}

    /** Somebody else has changed the flow: look again. */
    record Behind() implements Outcome {}

    /** The flow cannot go on. */
    record Stuck(String reason) implements Outcome {}
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

  Outcome run(List<Event> inputs, boolean replayed) {
    long begun = tools.config().time().nanos();
    Execution.State state = execution.advance(inputs);
    while (state == Execution.State.CHECKPOINT) {
      Commits.Outcome stored = fence.stands() ? storePart() : Commits.Outcome.LOST;
      if (stored != Commits.Outcome.DONE) {
        return over(stored);
      }
      state = execution.resume();
    }
    if (state == Execution.State.BROKEN) {
      execution.giveUp();
      return new Outcome.Stuck(execution.broken());
    }
    if (!replayed && events == 0 && execution.fresh().isEmpty()) {
      // Nothing would be appended, so nothing would tell that this memory is an old one, and that
      // what came is for a task it does not know.
      return over(Commits.Outcome.BEHIND);
    }
    Event last = execution.fresh().isEmpty() ? null : execution.fresh().getLast();
    Consumer<Changes> ending =
        state == Execution.State.ENDED && last != null ? end(last) : changes -> {};
    Commits.Outcome stored = storeAll(ending);
    if (stored != Commits.Outcome.DONE) {
      return over(stored);
    }
    tell(state, replayed, tools.config().time().nanos() - begun);
    if (state == Execution.State.WAITING) {
      tools.sticky().keep(id, new Sticky.Kept(flow, execution));
    }
    return new Outcome.Over();
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
          new Outcome.Stuck("What one turn of the flow brings about is too large to be stored.");
      default -> new Outcome.Over();
    };
  }

  /** Stores what is new while the code has more to do. */
  private Commits.Outcome storePart() {
    return store(
        List.of(), (changes, old) -> changes.save(id, fence.version(), old, flow), fence::stored);
  }

  /** A record is written if it is another object than the one that is stored. */
  @SuppressWarnings("ReferenceEquality")
  private Commits.Outcome storeAll(Consumer<Changes> more) {
    return store(
        held,
        (changes, old) -> {
          if (old != flow) {
            changes.save(id, old, flow);
          }
          more.accept(changes);
        },
        committed -> {});
  }

  private Commits.Outcome store(
      List<Handle> acked,
      BiConsumer<Changes, @Nullable FlowRecord> record,
      Consumer<Committed> done) {
    List<Event> fresh = List.copyOf(execution.fresh());
    for (Event event : fresh) {
      if (event instanceof Event.StatusSet status) {
        flow = flow.label(status.status());
      }
    }
    long position = execution.position();
    Consumer<Changes> before = first;
    FlowRecord old = saved;
    long number = loaded == null || loaded.isNew() ? 1 : loaded.execution();
    Commits.Outcome outcome =
        commits.commit(
            acked,
            left -> {
              Changes changes = tools.store().changes().ack(left);
              before.accept(changes);
              changes.append(id, number, position, fresh).effects(id, number, position, fresh);
              record.accept(changes, old);
              return changes;
            },
            done);
    if (outcome == Commits.Outcome.DONE) {
      events += fresh.size();
      execution.stored(0);
      first = changes -> {};
      saved = flow;
    }
    return outcome;
  }

  private Consumer<Changes> end(Event end) {
    long nowMs = end.timeMs();
    Parent parent = flow.parent();
    return switch (end) {
      case Event.FlowCompleted e -> {
        flow = flow.ended(FlowStatus.COMPLETED, e.output(), null, nowMs);
        yield changes -> answer(changes, parent, e.output());
      }
      case Event.FlowFailed e -> {
        flow = flow.ended(FlowStatus.FAILED, null, e.failure(), nowMs);
        yield changes -> fail(changes, parent, e.failure());
      }
      case Event.FlowCancelled e -> {
        Failure failure = Failure.of(Failure.CANCELLED, e.reason());
        flow = flow.ended(FlowStatus.CANCELLED, null, failure, nowMs);
        yield changes -> fail(changes, parent, failure);
      }
      case Event.ContinuedAsNew e -> continued(e);
      default -> throw new IllegalStateException("not an end: " + end);
    };
  }

  static void answer(Changes changes, @Nullable Parent parent, byte[] output) {
    if (parent != null) {
      changes.send(
          parent.flow(), new TurnMessage.Complete(parent.execution(), parent.task(), output));
    }
  }

  static void fail(Changes changes, @Nullable Parent parent, Failure failure) {
    if (parent != null) {
      changes.send(parent.flow(), new TurnMessage.Fail(parent.execution(), parent.task(), failure));
    }
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
      changes.append(id, next, 0, List.of(started)).keep(id, kept, left);
      for (long number = forgotten; number < oldest; number++) {
        changes.forget(id, number);
      }
      changes.send(id, new TurnMessage.Continue(next));
    };
  }
}
