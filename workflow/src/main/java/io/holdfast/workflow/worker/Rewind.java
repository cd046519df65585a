package io.holdfast.workflow.worker;

import io.holdfast.api.lease.Handle;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.ExecutionId;
import io.holdfast.workflow.history.History;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.store.Changes;
import io.holdfast.workflow.store.FlowRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lets a flow that failed go on from where its failure began.
 *
 * <p>What happened from there on is void, but for what had come by then for tasks begun earlier:
 * that counts again. What was under way is asked for again; a sub-flow that failed is itself
 * retried.
 *
 * <p>Thread: one.
 */
final class Rewind {
  private final Tools tools;
  private final Commits commits;
  private final String id;
  private final List<Handle> held;

  Rewind(Tools tools, Commits commits, String id, List<Handle> held) {
    this.tools = tools;
    this.commits = commits;
    this.id = id;
    this.held = held;
  }

  Commits.Outcome run(FlowRecord now, History history, long from) {
    long to = from > 0 ? Math.min(from, failure(history)) : failure(history);
    long nowMs = tools.nowMs();
    List<Event> notes = new ArrayList<>();
    notes.add(new Event.Rewound(nowMs, to));
    History kept = rewound(history, to);
    Map<Long, Event> open = kept.open();
    List<Event> again = new ArrayList<>();
    for (History.Entry entry : history.entries()) {
      if (entry.number() > to && isStillWanted(entry.event(), open.keySet())) {
        again.add(entry.event());
      }
    }
    ExecutionId current = now.executionId(id);
    FlowRecord running = now.ended(FlowStatus.RUNNING, null, null, nowMs);
    return commits.commit(
        held,
        left -> {
          Changes changes = tools.store().changes().ack(left);
          changes.append(current, history.length(), notes);
          redo(changes, current, history, to, open);
          for (Event event : again) {
            changes.send(id, message(current, event));
          }
          changes.send(id, new TurnMessage.Continue(current));
          return changes.save(id, now, running);
        });
  }

  private static History rewound(History history, long to) {
    List<History.Entry> entries =
        history.entries().stream().filter(entry -> entry.number() < to).toList();
    return History.numbered(entries, history.length());
  }

  /** Where the failure of a flow began. */
  private static long failure(History history) {
    List<History.Entry> entries = history.entries();
    int last = entries.size() - 1;
    while (last > 0 && !(entries.get(last).event() instanceof Event.FlowFailed)) {
      last--;
    }
    long task = entries.get(last).event() instanceof Event.FlowFailed e ? e.task() : -1;
    for (History.Entry entry : entries) {
      boolean culprit =
          entry.event() instanceof Event.Failed e
              ? e.task() == task
              : entry.number() == task && entry.event() instanceof Event.StepDone;
      if (culprit && task >= 0) {
        return entry.number();
      }
    }
    // The code itself failed. What it stopped at its end is under way again.
    int first = last;
    while (first > 1 && entries.get(first - 1).event() instanceof Event.TaskCancelled) {
      first--;
    }
    return entries.get(first).number();
  }

  private static boolean isStillWanted(Event event, Set<Long> open) {
    return switch (event) {
      case Event.Completed e -> open.contains(e.task());
      case Event.Failed e -> open.contains(e.task());
      case Event.Fired e -> open.contains(e.task());
      case Event.Received e -> true;
      default -> false;
    };
  }

  private static TurnMessage message(ExecutionId execution, Event event) {
    return switch (event) {
      case Event.Completed e -> new TurnMessage.Complete(execution, e.task(), e.result());
      case Event.Failed e -> new TurnMessage.Fail(execution, e.task(), e.failure());
      case Event.Fired e -> new TurnMessage.Fire(execution, e.task());
      case Event.Received e -> new TurnMessage.Raise(e.id(), e.name(), e.data());
      default -> throw new IllegalStateException("not an input: " + event);
    };
  }

  /** Asks again for what was under way, unless its answer has come in the meantime. */
  private void redo(
      Changes changes, ExecutionId current, History history, long to, Map<Long, Event> open) {
    open.forEach(
        (task, begun) -> {
          boolean failed = history.entries().stream().anyMatch(e -> isFailureOf(e, to, task));
          boolean answered =
              !failed
                  && history.entries().stream()
                      .anyMatch(e -> e.number() >= to && answers(e.event(), task));
          if (answered) {
            return;
          }
          switch (begun) {
            case Event.CallScheduled e -> changes.callAgain(current, task, e);
            case Event.TimerSet e -> {
              long leftMs = Math.max(0, e.timeMs() + e.forMs() - tools.nowMs());
              changes.timer(current, task, leftMs);
            }
            case Event.SubStarted e -> {
              if (failed) {
                changes.send(e.flow(), new TurnMessage.Retry(-1));
              } else {
                changes.sub(current, task, e);
              }
            }
            default -> {}
          }
        });
  }

  private static boolean isFailureOf(History.Entry entry, long to, long task) {
    return entry.number() == to && entry.event() instanceof Event.Failed e && e.task() == task;
  }

  private static boolean answers(Event event, long task) {
    return switch (event) {
      case Event.Completed e -> e.task() == task;
      case Event.Failed e -> e.task() == task;
      case Event.Fired e -> e.task() == task;
      default -> false;
    };
  }
}
