package io.holdfast.workflow.admin;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.api.queue.PurgeRequest;
import io.holdfast.api.wire.WireException;
import io.holdfast.workflow.Failure;
import io.holdfast.workflow.FlowException;
import io.holdfast.workflow.FlowException.Reason;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.History;
import io.holdfast.workflow.history.Parent;
import io.holdfast.workflow.history.TaskKind;
import io.holdfast.workflow.store.Changes;
import io.holdfast.workflow.store.FlowRecord;
import io.holdfast.workflow.store.FlowStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Deletes flows with all that is kept of them: records, histories, messages, and what they have
 * under way.
 *
 * <p>All of them or none, as long as that fits one commit; of more, children go before their
 * parents.
 *
 * <p>Thread: any.
 */
final class Removal {
  /** Most flows of one family that are deleted together. */
  private static final int FLOWS_MAX = 10_000;

  /** So many operations fit one commit, with room for those of one more flow. */
  private static final int OPERATIONS_MAX = Limits.OPERATIONS_MAX / 2;

  private static final int TRIES_MAX = 5;

  private final FlowStore store;
  private final FlowLists lists;
  private final TimeSource time;

  /**
   * A flow that is to go, with what it has under way.
   *
   * @param unborn flows that it started and that have had no turn yet
   */
  private record Doomed(
      String id,
      FlowRecord flow,
      long version,
      List<Event> cancels,
      Set<String> children,
      Set<String> unborn) {
    boolean isBusy() {
      return !flow.isEnded() || !cancels.isEmpty() || !unborn.isEmpty();
    }
  }

  Removal(FlowStore store, FlowLists lists, TimeSource time) {
    this.store = store;
    this.lists = lists;
    this.time = time;
  }

  int delete(Collection<String> ids, DeleteOptions options) {
    for (int tries = 1; ; tries++) {
      SequencedMap<String, Doomed> doomed = collect(new LinkedHashSet<>(ids), options);
      doomed.values().forEach(this::halt);
      Result<Committed> result = remove(doomed);
      if (result.isOk()) {
        doomed.values().stream().filter(Doomed::isBusy).forEach(this::purge);
        return doomed.size();
      }
      if (result.refusal().code() != ErrorCode.WRONG_VERSION || tries == TRIES_MAX) {
        result.orThrow();
      }
    }
  }

  private SequencedMap<String, Doomed> collect(Set<String> ids, DeleteOptions options) {
    SequencedMap<String, Doomed> doomed = new LinkedHashMap<>();
    Deque<String> left = new ArrayDeque<>(ids);
    while (!left.isEmpty()) {
      String id = left.remove();
      if (doomed.containsKey(id)) {
        continue;
      }
      Doomed one = look(id);
      if (one == null) {
        if (ids.contains(id)) {
          throw new FlowException(Reason.NOT_FOUND, "there is no flow with the id " + id);
        }
        continue;
      }
      if (!one.flow().isEnded() && !options.force()) {
        throw new FlowException(
            Reason.WRONG_STATUS,
            "flow "
                + id
                + " is "
                + one.flow().status()
                + "; only flows that have ended are deleted, unless it is forced");
      }
      if (!options.cascade()) {
        Stream.concat(one.children().stream(), one.unborn().stream())
            .filter(child -> !ids.contains(child))
            .findFirst()
            .ifPresent(child -> refuseOrphan(child, id));
      }
      left.addAll(one.children());
      doomed.put(id, one);
      if (doomed.size() > FLOWS_MAX) {
        throw new FlowException(
            Reason.HAS_CHILDREN,
            "more than " + FLOWS_MAX + " flows hang on " + ids + "; delete some of them first");
      }
    }
    return doomed;
  }

  private static void refuseOrphan(String child, String parent) {
    throw new FlowException(
        Reason.HAS_CHILDREN, "flow " + child + " hangs on " + parent + "; delete both, or cascade");
  }

  private @Nullable Doomed look(String id) {
    StoredRecord record = store.record(id);
    FlowRecord flow = FlowStore.flow(record);
    if (flow == null) {
      return null;
    }
    Set<String> children = new LinkedHashSet<>();
    String after = null;
    do {
      Page<String> page = lists.children(id, after, Limits.PAGE_MAX);
      page.items().stream().filter(child -> isChild(child, id)).forEach(children::add);
      after = page.next();
    } while (after != null && children.size() <= FLOWS_MAX);
    List<Event> cancels = new ArrayList<>();
    Set<String> unborn = new LinkedHashSet<>();
    open(id, flow)
        .forEach(
            (task, begun) -> {
              if (begun instanceof Event.SubStarted sub) {
                if (store.flow(sub.flow()) == null) {
                  unborn.add(sub.flow());
                }
              } else if (!(begun instanceof Event.EventAwaited)) {
                cancels.add(
                    new Event.TaskCancelled(0, task, TaskKind.of(begun), TaskKind.where(begun)));
              }
            });
    return new Doomed(id, flow, record.version(), cancels, children, unborn);
  }

  private boolean isChild(String id, String parent) {
    FlowRecord flow = store.flow(id);
    Parent its = flow == null ? null : flow.parent();
    return its != null && its.flow().equals(parent);
  }

  private Map<Long, Event> open(String id, FlowRecord flow) {
    if (flow.isNew()) {
      return Map.of();
    }
    try {
      return History.of(store.events(flow.executionId(id))).open();
    } catch (WireException unreadable) {
      // What it has under way finds nobody to tell.
      return Map.of();
    }
  }

  private Result<Committed> remove(SequencedMap<String, Doomed> doomed) {
    Changes changes = store.changes();
    Result<Committed> result = Result.ok(new Committed(List.of()));
    for (Doomed one : doomed.sequencedValues().reversed()) {
      int wanted = one.cancels().size() + 2 * one.unborn().size();
      if (changes.size() + wanted > OPERATIONS_MAX && !changes.isEmpty()) {
        result = store.commit(changes);
        if (!result.isOk()) {
          return result;
        }
        changes = store.changes();
      }
      changes.effects(one.flow().executionId(one.id()), 0, one.cancels());
      changes.remove(one.id(), one.flow(), one.version());
      for (String child : one.unborn()) {
        // One that is in its first turn just now is not born any more.
        changes.unlessBorn(child).early(child, time.wallMs());
      }
      Parent parent = one.flow().parent();
      if (parent != null && !one.flow().isEnded() && !doomed.containsKey(parent.flow())) {
        Failure failure = Failure.of(Failure.TERMINATED, "flow " + one.id() + " was deleted");
        changes.fail(parent, failure);
      }
    }
    return changes.isEmpty() ? result : store.commit(changes);
  }

  /** Ends turns that are under way, before anything is deleted: what they store is refused. */
  private void halt(Doomed one) {
    if (!one.flow().isEnded()) {
      purge(one.id());
    }
    one.unborn().forEach(this::purge);
  }

  /** Drops what is on its way to a flow, so that no turn can bring it back. */
  private void purge(Doomed one) {
    purge(one.id());
    one.unborn().forEach(this::purge);
  }

  private void purge(String id) {
    Result<?> purged = store.broker().purge(new PurgeRequest(store.keys().turns(), id));
    if (!purged.isOk() && purged.refusal().code() != ErrorCode.NOT_FOUND) {
      purged.orThrow();
    }
  }
}
