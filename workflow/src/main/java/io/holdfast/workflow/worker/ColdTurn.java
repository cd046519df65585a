package io.holdfast.workflow.worker;

import io.holdfast.api.lease.Handle;
import io.holdfast.workflow.BlockCause;
import io.holdfast.workflow.Failure;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.History;
import io.holdfast.workflow.history.Parent;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.replay.Execution;
import io.holdfast.workflow.store.Changes;
import io.holdfast.workflow.store.Digest;
import io.holdfast.workflow.store.FlowRecord;
import io.holdfast.workflow.store.Loaded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A turn of a flow as it lies in the broker: whatever its status is, and whatever came.
 *
 * <p>Thread: one.
 */
final class ColdTurn {
  /** What becomes of the turn. */
  sealed interface Verdict {
    record Over() implements Verdict {}

    /** Somebody else has changed the flow: look again. */
    record Again() implements Verdict {}

    /** Its messages are to come again after a time. */
    record Later(long delayMs, String reason) implements Verdict {}
  }

  private static final Logger LOG = LoggerFactory.getLogger(ColdTurn.class);

  /** Most messages that are kept for a flow that cannot take them. */
  private static final long INBOX_MAX = 10_000;

  private static final long FULL_MS = 10_000;

  /** A worker without the code gives a flow to others so often before it is blocked. */
  private static final int UNKNOWN_MAX = 5;

  static final String REFUSED = "the broker refused to store the turn";

  private final Tools tools;
  private final Commits commits;
  private final String id;
  private final List<Handle> held;
  private final Fence fence;
  private final List<Arrived> messages;
  private final List<Arrived> kept = new ArrayList<>();
  private final Loaded loaded;
  private final @Nullable FlowRecord flow;
  private final int attempts;

  ColdTurn(
      Tools tools,
      Commits commits,
      String id,
      List<Handle> held,
      Fence fence,
      List<Arrived> messages,
      Loaded loaded,
      int attempts) {
    this.tools = tools;
    this.commits = commits;
    this.id = id;
    this.held = held;
    this.fence = fence;
    this.messages = messages;
    this.loaded = loaded;
    this.flow = loaded.flow();
    this.attempts = attempts;
    for (byte[] payload : loaded.inbox()) {
      Arrived arrived = Arrived.kept(payload);
      if (arrived != null) {
        kept.add(arrived);
      }
    }
  }

  /** Whether somebody asks for the flow to go on or to end, whatever happened so far. */
  boolean isAsked() {
    return Arrived.first(messages, TurnMessage.Retry.class) != null
        || Arrived.first(messages, TurnMessage.Terminate.class) != null;
  }

  Verdict run() {
    FlowRecord now = flow;
    if (now == null) {
      return fresh(null);
    }
    if (now.isEnded()) {
      return ended(now);
    }
    TurnMessage.Terminate terminate = Arrived.first(messages, TurnMessage.Terminate.class);
    if (terminate != null) {
      return terminated(now, terminate.reason());
    }
    boolean goesOn =
        switch (now.status()) {
          case SUSPENDED -> Arrived.first(messages, TurnMessage.Resume.class) != null;
          case BLOCKED -> Arrived.first(messages, TurnMessage.Retry.class) != null;
          default -> true;
        };
    if (!goesOn) {
      return keep(now);
    }
    if (now.isNew()) {
      return fresh(now);
    }
    TurnMessage.Suspend suspend = Arrived.first(messages, TurnMessage.Suspend.class);
    if (suspend != null && now.status() == FlowStatus.RUNNING) {
      return suspended(now, suspend.reason());
    }
    return runs(now);
  }

  /** A flow without a history: it begins if that is what came, now or before. */
  private Verdict fresh(@Nullable FlowRecord now) {
    List<Arrived> all = together();
    Arrived arrived = Arrived.firstArrived(all, TurnMessage.Start.class);
    if (arrived == null || !(arrived.message() instanceof TurnMessage.Start start)) {
      return early(now);
    }
    Orchestration<?, ?> code = tools.registry().flow(start.name(), start.version());
    if (code == null) {
      return unknown(now != null ? now : pending(start), start.name(), start.version());
    }
    long createdMs = now == null ? messages.getFirst().sentMs() : now.createdMs();
    String incarnation = incarnation(now, arrived);
    FlowRecord born = Turn.born(start, incarnation, code, createdMs, tools.nowMs());
    Execution execution =
        Execution.begin(
            born.executionId(id), Turn.started(start, code, tools.nowMs()), tools.code(code));
    return advance(
        now,
        born,
        execution,
        Arrived.inputs(all, execution.id(), tools.nowMs()),
        changes -> {
          changes.begin(id, loaded.begunVersion()).emptyInbox(id);
          refuseOtherStarts(changes, born, start);
        });
  }

  private FlowRecord pending(TurnMessage.Start start) {
    return FlowRecord.pending(
        start.name(), start.version(), Digest.of(start.input()), start.parent(), tools.nowMs());
  }

  /** The incarnation of a flow that was not begun: a start that was kept lost it to the record. */
  private static String incarnation(@Nullable FlowRecord now, Arrived start) {
    return now == null || now.incarnation().isEmpty() ? start.incarnation() : now.incarnation();
  }

  private List<Arrived> together() {
    List<Arrived> all = new ArrayList<>(kept);
    all.addAll(messages);
    return all;
  }

  /** What comes before the start is kept, if it may be wanted then. */
  private Verdict early(@Nullable FlowRecord now) {
    List<Arrived> wanted =
        messages.stream()
            .filter(m -> now != null || m.message() instanceof TurnMessage.Raise)
            .filter(m -> !(m.message() instanceof TurnMessage.Retry))
            .toList();
    if (kept.size() + wanted.size() > INBOX_MAX) {
      return new Verdict.Later(FULL_MS, "more events came before the start than are kept");
    }
    return verdict(
        commitHeld(
            left -> {
              Changes changes = tools.store().changes().ack(left);
              if (!wanted.isEmpty()) {
                changes
                    .keep(id, loaded.inbox().size(), Arrived.payloads(wanted))
                    .early(id, tools.nowMs());
              }
              return changes;
            }));
  }

  /** A flow that runs, with its history. */
  @SuppressWarnings("ReferenceEquality")
  private Verdict runs(FlowRecord now) {
    History history = loaded.history();
    if (history == null || history.started() == null) {
      String why = history == null ? loaded.unreadable() : "it does not begin with a start";
      return block(BlockCause.HISTORY_UNREADABLE, "The history cannot be read: " + why, messages);
    }
    TurnMessage.Poison poison = Arrived.first(messages, TurnMessage.Poison.class);
    if (poison != null
        && poison.isFor(now.executionId(id))
        && history.open().containsKey(poison.task())) {
      return block(BlockCause.WORKERS_DIED, Poison.words(poison), messages);
    }
    Orchestration<?, ?> code = tools.registry().flow(now.name(), now.version());
    if (code == null) {
      return unknown(now, now.name(), now.version());
    }
    FlowRecord running =
        now.status() == FlowStatus.RUNNING
            ? now
            : now.status(FlowStatus.RUNNING, null, tools.nowMs());
    Execution execution = new Execution(now.executionId(id), history, tools.code(code));
    return advance(
        now,
        loaded.inbox().isEmpty() && running == now ? now : running.inbox(0),
        execution,
        Arrived.inputs(together(), execution.id(), tools.nowMs()),
        changes -> {
          if (!loaded.inbox().isEmpty()) {
            changes.emptyInbox(id);
          }
          redoPoisoned(changes, now, history);
          refuseOtherStarts(changes, now, null);
        });
  }

  /** Activities that no worker survived are tried again, since somebody says so. */
  private void redoPoisoned(Changes changes, FlowRecord now, History history) {
    Map<Long, Event> open = history.open();
    for (Arrived arrived : kept) {
      if (arrived.message() instanceof TurnMessage.Poison poison
          && open.get(poison.task()) instanceof Event.CallScheduled call) {
        changes.callAgain(now.executionId(id), poison.task(), call);
      }
    }
  }

  private Verdict advance(
      @Nullable FlowRecord before,
      FlowRecord after,
      Execution execution,
      List<Event> inputs,
      Consumer<Changes> first) {
    Advance.Outcome outcome =
        new Advance(tools, commits, id, held, fence, before, after, execution, first)
            .runAndWait(inputs, true);
    return switch (outcome) {
      case Advance.Outcome.Over over -> new Verdict.Over();
      case Advance.Outcome.Behind behind -> new Verdict.Again();
      case Advance.Outcome.Stuck stuck -> block(stuck.cause(), stuck.reason(), messages);
      case Advance.Outcome.Refused refused -> later();
    };
  }

  private Verdict unknown(FlowRecord now, String name, @Nullable String version) {
    if (attempts < UNKNOWN_MAX && now.status() != FlowStatus.BLOCKED) {
      return new Verdict.Later(ReturnDelay.ms(attempts), "this worker has no code for " + name);
    }
    return block(
        BlockCause.CODE_UNKNOWN,
        "No worker that had a turn of this flow knows '"
            + name
            + "'"
            + (version == null ? "" : " in version " + version)
            + ". The last one knows "
            + tools.registry()
            + ".",
        messages);
  }

  /** The flow stops as it is; what came is kept until it goes on. */
  Verdict block(BlockCause cause, String reason, List<Arrived> came) {
    FlowRecord now = flow;
    Arrived arrived = Arrived.firstArrived(came, TurnMessage.Start.class);
    if (now == null) {
      if (arrived == null || !(arrived.message() instanceof TurnMessage.Start start)) {
        return early(null);
      }
      now = pending(start);
    }
    if (arrived != null && now.isNew()) {
      now = now.incarnation(incarnation(now, arrived));
    }
    LOG.error("Flow {} ({}) is blocked: {}", id, now.name(), reason);
    FlowRecord blocked = now.blocked(cause, reason, tools.nowMs());
    boolean isNoted = now.isNew() || now.status() == FlowStatus.BLOCKED;
    Verdict verdict =
        stop(
            blocked, came, isNoted ? List.of() : List.of(new Event.Blocked(tools.nowMs(), reason)));
    tools.listener().blocked(id, now.name(), reason);
    return verdict;
  }

  private Verdict suspended(FlowRecord now, String reason) {
    FlowRecord suspended = now.status(FlowStatus.SUSPENDED, reason, tools.nowMs());
    return stop(suspended, messages, List.of(new Event.Suspended(tools.nowMs(), reason)));
  }

  /** A flow that stands still, for whatever reason. */
  private Verdict keep(FlowRecord now) {
    return stop(now, messages, List.of());
  }

  @SuppressWarnings("ReferenceEquality")
  private Verdict stop(FlowRecord after, List<Arrived> came, List<Event> notes) {
    List<Arrived> wanted = came.stream().filter(ColdTurn::isKept).toList();
    long before = loaded.inbox().size();
    if (before + wanted.size() > INBOX_MAX) {
      return new Verdict.Later(FULL_MS, "more came for the flow than is kept");
    }
    FlowRecord now =
        wanted.isEmpty() && after == flow ? after : after.inbox(before + wanted.size());
    return verdict(
        commitHeld(
            left -> {
              Changes changes = tools.store().changes().ack(left);
              changes.keep(id, before, Arrived.payloads(wanted));
              changes.append(now.executionId(id), loaded.length(), notes);
              if (now != flow) {
                changes.save(id, flow, now);
              }
              if (now.isNew()) {
                // So that a repeat of its start does not take it for a new one.
                changes.early(id, tools.nowMs());
              } else {
                refuseOtherStarts(changes, now, null);
              }
              return changes;
            }));
  }

  private static boolean isKept(Arrived arrived) {
    return switch (arrived.message()) {
      case TurnMessage.Suspend m -> false;
      case TurnMessage.Resume m -> false;
      case TurnMessage.Retry m -> false;
      case TurnMessage.Continue m -> false;
      default -> true;
    };
  }

  private Verdict terminated(FlowRecord now, String reason) {
    long nowMs = tools.nowMs();
    Failure failure = Failure.of(Failure.TERMINATED, reason);
    FlowRecord ended = now.ended(FlowStatus.TERMINATED, null, failure, nowMs).inbox(0);
    Verdict verdict =
        verdict(
            commitHeld(
                left -> {
                  Changes changes = tools.store().changes().ack(left);
                  if (!now.isNew()) {
                    changes.append(
                        now.executionId(id),
                        loaded.length(),
                        List.of(new Event.Terminated(nowMs, reason)));
                    Endings.stopTasks(changes, now.executionId(id), loaded.history(), reason);
                  }
                  changes.fail(now.parent(), failure);
                  return changes.emptyInbox(id).neverBegins(id).save(id, now, ended);
                }));
    tools.listener().ended(id, now.name(), FlowStatus.TERMINATED);
    return verdict;
  }

  private Verdict ended(FlowRecord now) {
    TurnMessage.Retry retry = Arrived.first(messages, TurnMessage.Retry.class);
    History history = loaded.history();
    if (retry != null && now.status() == FlowStatus.FAILED && history != null) {
      return verdict(new Rewind(tools, commits, id, held).run(now, history, retry.from()));
    }
    return verdict(
        commitHeld(
            left -> {
              Changes changes = tools.store().changes().ack(left);
              refuseOtherStarts(changes, now, null);
              return changes;
            }));
  }

  /** Tells those who wanted to start another flow of the same id. */
  @SuppressWarnings("ReferenceEquality")
  private void refuseOtherStarts(
      Changes changes, FlowRecord now, TurnMessage.@Nullable Start ownStart) {
    for (Arrived arrived : messages) {
      if (!(arrived.message() instanceof TurnMessage.Start start) || start == ownStart) {
        continue;
      }
      Parent parent = start.parent();
      boolean same =
          start.name().equals(now.name())
              && Arrays.equals(Digest.of(start.input()), now.digest())
              && Objects.equals(parent, now.parent());
      if (!same) {
        LOG.warn("Flow {} exists; another start with that id was refused.", id);
        changes.fail(
            parent,
            Failure.of(
                Failure.CONFLICT, "a flow with the id " + id + " exists, and is another one"));
      } else if (now.isEnded()) {
        Endings.tellAgain(changes, now);
      }
    }
  }

  /** Commits while something is held: without it somebody else may have the flow by now. */
  private Commits.Outcome commitHeld(Function<List<Handle>, Changes> changes) {
    return commits.commit(
        held, left -> left.isEmpty() ? tools.store().changes() : changes.apply(left));
  }

  private Verdict verdict(Commits.Outcome outcome) {
    return switch (outcome) {
      case BEHIND -> new Verdict.Again();
      case REFUSED -> later();
      default -> new Verdict.Over();
    };
  }

  private Verdict later() {
    return new Verdict.Later(ReturnDelay.ms(attempts), REFUSED);
  }
}
