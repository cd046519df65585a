package io.holdfast.workflow.worker;

import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.Settle;
import io.holdfast.workflow.BlockCause;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.replay.Execution;
import io.holdfast.workflow.store.Digest;
import io.holdfast.workflow.store.FetchedTurn;
import io.holdfast.workflow.store.FlowRecord;
import io.holdfast.workflow.store.Loaded;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done with all that came for one flow.
 *
 * <p>Most turns need nothing but the execution that waits in memory; or nothing at all, if the flow
 * is new. Only if that is refused, or more is asked, the flow is read from the broker: {@link
 * ColdTurn}.
 *
 * <p>Thread: one.
 */
final class Turn {
  private static final Logger LOG = LoggerFactory.getLogger(Turn.class);

  private static final int LOOKS_MAX = 4;
  private final Tools tools;
  private final Commits commits;
  private final FetchedTurn fetched;
  private final String id;
  private final List<Arrived> messages = new ArrayList<>();
  private final List<Handle> held = new ArrayList<>();
  private final List<Handle> unreadable = new ArrayList<>();
  private boolean behind;

  Turn(Tools tools, Commits commits, FetchedTurn fetched) {
    this.tools = tools;
    this.commits = commits;
    this.fetched = fetched;
    this.id = fetched.id();
  }

  private void read() {
    for (Delivery delivery : fetched.messages()) {
      Arrived arrived = Arrived.of(delivery.message());
      if (arrived == null) {
        unreadable.add(delivery.handle());
      } else {
        messages.add(arrived);
        held.add(delivery.handle());
      }
    }
  }

  /**
   * Takes the turn; trouble gives its messages back.
   *
   * @param then told when all is over, once; perhaps on another thread
   */
  void run(Runnable then) {
    boolean storing = false;
    try {
      read();
      buryUnreadable();
      if (!messages.isEmpty()) {
        Warm warm = warm();
        if (warm == null) {
          cold();
        } else {
          Advance.Outcome outcome =
              warm.advance().run(warm.inputs(), false, stored -> ended(stored, then));
          storing = outcome == null;
          if (outcome != null && !isOver(outcome)) {
            goOn(outcome);
          }
        }
      }
    } catch (RuntimeException | VirtualMachineError trouble) {
      giveBack(trouble);
    } finally {
      if (!storing) {
        then.run();
      }
    }
  }

  /** What memory brought about was stored, or refused. */
  private void ended(Advance.Outcome outcome, Runnable then) {
    if (isOver(outcome)) {
      then.run();
      return;
    }
    Thread.ofVirtual()
        .name("flow-turn")
        .start(
            () -> {
              try {
                goOn(outcome);
              } catch (RuntimeException | VirtualMachineError trouble) {
                giveBack(trouble);
              } finally {
                then.run();
              }
            });
  }

  /**
   * Whether that was all; a flow that cannot go on is looked at as a whole before it is blocked.
   */
  private boolean isOver(Advance.Outcome outcome) {
    behind = outcome instanceof Advance.Outcome.Behind;
    return outcome instanceof Advance.Outcome.Over;
  }

  /** What memory brought about was not stored. */
  private void goOn(Advance.Outcome outcome) {
    if (outcome instanceof Advance.Outcome.Refused) {
      abandon(ReturnDelay.ms(attempts()), ColdTurn.REFUSED);
    } else {
      cold();
    }
  }

  private void giveBack(Throwable trouble) {
    LOG.warn("A turn of flow {} was given back, and will come again.", id, trouble);
    abandon(ReturnDelay.ms(attempts()), trouble.toString());
  }

  private void buryUnreadable() {
    if (!unreadable.isEmpty()) {
      LOG.error(
          "{} messages for flow {} cannot be read; they are dead letters.", unreadable.size(), id);
      commits.settle(
          unreadable.stream()
              .map(handle -> Settle.kill(handle, "not a message for a flow"))
              .toList());
    }
  }

  void abandon(long delayMs, String reason) {
    tools.listener().turnAbandoned(id, reason);
    try {
      commits.release(fetched.handles(), delayMs);
    } catch (RuntimeException trouble) {
      LOG.debug("Flow {} comes back when its lease ends.", id, trouble);
    }
  }

  /** A turn for which memory has all that is needed, with what comes for the code. */
  private record Warm(Advance advance, List<Event> inputs) {}

  private @Nullable Warm warm() {
    Sticky.Kept kept = tools.sticky().take(id);
    if (kept == null) {
      Advance fresh = fresh();
      return fresh == null ? null : warm(fresh, messages.subList(1, messages.size()));
    }
    if (isPoison() || !messages.stream().allMatch(Arrived::isPlain)) {
      kept.execution().giveUp();
      return null;
    }
    FlowRecord flow = kept.flow();
    Execution execution = kept.execution();
    Fence fence = Fence.ofMemory(tools.store(), fetched, execution);
    return warm(
        new Advance(tools, commits, id, held, fence, flow, flow, execution, c -> {}), messages);
  }

  private Warm warm(Advance advance, List<Arrived> came) {
    return new Warm(advance, Arrived.inputs(came, advance.executionId(), tools.nowMs()));
  }

  /** A flow whose first message this is, and that most likely is new. */
  private @Nullable Advance fresh() {
    if (!(messages.getFirst().message() instanceof TurnMessage.Start start)
        || fetched.messages().getFirst().attempt() > 1
        || !messages.stream().skip(1).allMatch(Arrived::isPlain)) {
      return null;
    }
    Orchestration<?, ?> code = tools.registry().flow(start.name(), start.version());
    if (code == null) {
      return null;
    }
    Arrived first = messages.getFirst();
    FlowRecord flow = born(start, first.incarnation(), code, first.sentMs(), tools.nowMs());
    Execution execution =
        Execution.begin(
            flow.executionId(id), started(start, code, tools.nowMs()), tools.code(code));
    return new Advance(
        tools,
        commits,
        id,
        held,
        Fence.ofNew(tools.store(), fetched),
        null,
        flow,
        execution,
        changes -> changes.begin(id).noLongerPending(id, start.name()));
  }

  private Fence fence() {
    return Fence.ofStored(tools.store(), fetched);
  }

  static FlowRecord born(
      TurnMessage.Start start,
      String incarnation,
      Orchestration<?, ?> code,
      long createdMs,
      long nowMs) {
    return FlowRecord.pending(
            start.name(), code.version(), Digest.of(start.input()), start.parent(), createdMs)
        .incarnation(incarnation)
        .status(FlowStatus.RUNNING, null, nowMs)
        .execution(1, code.version(), 1);
  }

  static Event.Started started(TurnMessage.Start start, Orchestration<?, ?> code, long nowMs) {
    return new Event.Started(
        nowMs, start.name(), code.version(), start.input(), start.parent(), List.of());
  }

  /** Whether workers died of it. */
  private boolean isPoison() {
    return deaths() >= tools.config().poisonAfter();
  }

  private int attempts() {
    return fetched.messages().stream().mapToInt(Delivery::attempt).max().orElse(1);
  }

  private int deaths() {
    return fetched.messages().stream().mapToInt(Delivery::expiries).max().orElse(0);
  }

  private void cold() {
    for (int looks = 0; looks < LOOKS_MAX; looks++) {
      Loaded loaded = tools.store().load(id);
      if (behind && loaded.isNew() && !fence().isHeld()) {
        // It was deleted meanwhile: its code must not run again.
        return;
      }
      ColdTurn turn = new ColdTurn(tools, commits, id, held, fence(), messages, loaded, attempts());
      ColdTurn.Verdict verdict =
          isPoison() && !turn.isAsked()
              ? turn.block(BlockCause.WORKERS_DIED, Poison.words(deaths()), messages)
              : turn.run();
      switch (verdict) {
        case ColdTurn.Verdict.Over over -> {
          return;
        }
        case ColdTurn.Verdict.Later later -> {
          abandon(later.delayMs(), later.reason());
          return;
        }
        case ColdTurn.Verdict.Again again -> behind = true;
      }
    }
    abandon(ReturnDelay.ms(attempts()), "somebody else works on the same flow");
  }
}
