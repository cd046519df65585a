package io.holdfast.workflow.admin;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Page;
import io.holdfast.api.Refusal;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.workflow.FlowException;
import io.holdfast.workflow.FlowException.Reason;
import io.holdfast.workflow.FlowInfo;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Names;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.store.Changes;
import io.holdfast.workflow.store.Digest;
import io.holdfast.workflow.store.FlowRecord;
import io.holdfast.workflow.store.FlowStore;
import io.holdfast.workflow.store.Keys;
import io.holdfast.workflow.store.Loaded;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * What one can do to flows without their code.
 *
 * <p>Thread: any.
 */
public final class FlowAdmin {
  private static final Set<FlowStatus> LIVE = EnumSet.range(FlowStatus.PENDING, FlowStatus.BLOCKED);

  private final FlowStore store;

  /** How starts are stored; answers why one was refused, null if it was not. */
  private final BiFunction<FlowStore, Changes, @Nullable Refusal> starts;

  private final TimeSource time;
  private final FlowLists lists;
  private final FlowHistory histories;
  private final FlowViews views;
  private final Removal removal;

  /**
   * For a broker that may know who asks by the thread: whatever is asked of it is asked on the
   * thread of the caller, and apart from what others ask.
   */
  public FlowAdmin(Broker broker, String prefix, TimeSource time) {
    this(new FlowStore(broker, new Keys(prefix)), time, FlowAdmin::alone);
  }

  /** For a process that asks all in its own name: starts may share commits. */
  public FlowAdmin(FlowStore store, TimeSource time) {
    this(store, time, (its, changes) -> its.shared().commit(changes));
  }

  private FlowAdmin(
      FlowStore store, TimeSource time, BiFunction<FlowStore, Changes, @Nullable Refusal> starts) {
    this.store = store;
    this.starts = starts;
    this.time = time;
    this.lists = new FlowLists(store);
    this.histories = new FlowHistory(store);
    this.views = new FlowViews(store, lists);
    this.removal = new Removal(store, lists, time);
  }

  private static @Nullable Refusal alone(FlowStore store, Changes changes) {
    Result<Committed> result = store.commit(changes);
    return result.isOk() ? null : result.refusal();
  }

  /**
   * Starts a flow; a repeat of the same start changes nothing.
   *
   * @param version the version of its code; null for the newest that its first worker knows
   * @return whether it is new
   * @throws FlowException if a flow of that id exists, and is another one
   */
  public boolean start(String name, @Nullable String version, String id, byte[] input) {
    Names.checked("name", name);
    Names.checkedId(id);
    byte[] digest = Digest.of(input);
    FlowRecord flow = FlowRecord.pending(name, version, digest, null, time.wallMs());
    Changes changes =
        store
            .changes()
            .create(id, flow)
            .send(id, new TurnMessage.Start(name, version, input, null));
    Refusal refusal = starts.apply(store, changes);
    if (refusal == null) {
      return true;
    }
    if (refusal.code() != ErrorCode.WRONG_VERSION) {
      throw new RefusedException(refusal);
    }
    FlowRecord other = store.flow(id);
    if (other != null && (!other.name().equals(name) || !Arrays.equals(other.digest(), digest))) {
      throw new FlowException(
          Reason.CONFLICT,
          "a flow with the id " + id + " exists, and is another one: " + other.name());
    }
    return false;
  }

  /** The flow of an id, if there is one. */
  public Optional<FlowInfo> find(String id) {
    return Optional.ofNullable(store.flow(id)).map(flow -> FlowInfo.of(id, flow));
  }

  /**
   * The flow of an id.
   *
   * @throws FlowException if there is none
   */
  public FlowInfo get(String id) {
    return FlowInfo.of(id, record(id));
  }

  private FlowRecord record(String id) {
    FlowRecord flow = store.flow(id);
    if (flow == null) {
      throw new FlowException(Reason.NOT_FOUND, "there is no flow with the id " + id);
    }
    return flow;
  }

  /** A flow and the version of its record, to wait for the next one. */
  public record Seen(FlowInfo flow, long version) {}

  /**
   * Waits until the record of a flow is newer than a version; empty if it is not there.
   *
   * @param newerThan -1 not to wait
   */
  public Optional<Seen> await(String id, long newerThan, long waitMs) {
    StoredRecord record =
        store
            .broker()
            .record(new RecordRequest(store.keys().flow(id), newerThan, waitMs))
            .orThrow();
    if (!record.exists()) {
      return Optional.empty();
    }
    FlowRecord flow = FlowRecord.FORM.read(record.value());
    return Optional.of(new Seen(FlowInfo.of(id, flow), record.version()));
  }

  /**
   * Raises an event for a flow, whether it has been started or not.
   *
   * @param eventId tells repeats of the same event; null if it is not repeated
   */
  public void raise(String id, String name, byte[] data, @Nullable String eventId) {
    Names.checkedId(id);
    Names.checked("name", name);
    String known = eventId == null ? UUID.randomUUID().toString() : eventId;
    send(id, new TurnMessage.Raise(known, name, data));
  }

  /** Asks a flow to end; its code may still make good for what it did. */
  public void cancel(String id, String reason) {
    ask(id, new TurnMessage.Cancel(reason), "cancelled", LIVE);
  }

  /** Ends a flow without its code, and what it has under way. */
  public void terminate(String id, String reason) {
    ask(id, new TurnMessage.Terminate(reason), "terminated", LIVE);
  }

  /** Makes a flow stop for now; what comes for it is kept. */
  public void suspend(String id, String reason) {
    ask(
        id,
        new TurnMessage.Suspend(reason),
        "suspended",
        EnumSet.of(FlowStatus.RUNNING, FlowStatus.SUSPENDED));
  }

  public void resume(String id) {
    ask(id, new TurnMessage.Resume(), "resumed", EnumSet.of(FlowStatus.SUSPENDED));
  }

  /** Lets a blocked flow go on, or a failed one from its failure. */
  public void retry(String id) {
    retry(id, -1);
  }

  /**
   * Lets a failed flow go on from an event of its history, or a blocked one as it is.
   *
   * @param from the number of the event that is to happen again; -1 for the failure
   */
  public void retry(String id, long from) {
    ask(
        id,
        new TurnMessage.Retry(from),
        "retried",
        EnumSet.of(FlowStatus.BLOCKED, FlowStatus.FAILED));
  }

  private void ask(String id, TurnMessage message, String what, Set<FlowStatus> possible) {
    FlowStatus status = record(id).status();
    if (!possible.contains(status)) {
      throw new FlowException(
          Reason.WRONG_STATUS,
          "flow " + id + " is " + status + ", but only " + possible + " can be " + what);
    }
    send(id, message);
  }

  private void send(String id, TurnMessage message) {
    store.commit(store.changes().send(id, message)).orThrow();
  }

  /** A page of the flows, by status, name and id. */
  public Page<FlowLine> list(FlowQuery query) {
    return lists.list(query);
  }

  /**
   * How many flows there are, and what waits in their queues.
   *
   * @param most flows of a status are not counted much beyond this
   */
  public Overview overview(long most) {
    return new Overview(lists.counts(most), lists.depths());
  }

  /**
   * A flow with what it waits for.
   *
   * @throws FlowException if there is none
   */
  public FlowDetail show(String id) {
    Loaded loaded = store.load(Names.checkedId(id));
    FlowRecord flow = loaded.flow();
    return views.detail(id, loaded, flow == null ? record(id) : flow);
  }

  /** The ids of the flows that one started and waited for, or waits for, a page of them. */
  public Page<String> children(String id, @Nullable String after, int limit) {
    return lists.children(id, after, limit);
  }

  /**
   * A flow with its children and theirs, as far as they are not too many.
   *
   * @throws FlowException if there is no such flow
   */
  public FlowTree tree(String id) {
    return views.tree(id, record(id));
  }

  /**
   * The executions of a flow whose histories are kept, the oldest first.
   *
   * @throws FlowException if there is no such flow
   */
  public List<ExecutionInfo> executions(String id) {
    return histories.executions(id, record(id));
  }

  /**
   * A page of the history of a flow.
   *
   * @param execution 0 for the current one
   * @param from the number of the first event
   * @throws FlowException if there is no such flow or execution
   */
  public HistoryPage history(String id, long execution, long from, int limit) {
    return histories.page(id, record(id), execution, from, limit);
  }

  /**
   * Deletes a flow with all that is kept of it.
   *
   * @return how many flows are gone
   * @throws FlowException if there is none, or the options do not allow it
   */
  public int delete(String id, DeleteOptions options) {
    return delete(List.of(id), options);
  }

  /** Deletes flows, all or none if they are not very many. */
  public int delete(Collection<String> ids, DeleteOptions options) {
    return removal.delete(ids, options);
  }

  /** Deletes flows that have ended, each with its children; a dry run only counts them. */
  public Purged purge(PurgeFilter filter, boolean dryRun) {
    return new BulkPurge(store, lists, removal, filter, dryRun).run();
  }

  /**
   * Deletes the histories of former executions of a flow.
   *
   * @param keepLast so many stay in any case, the current one included
   * @param endedBeforeMs when they ended at the latest; 0 for any time
   * @return how many are gone
   * @throws FlowException if there is no such flow
   */
  public long prune(String id, int keepLast, long endedBeforeMs) {
    return new Pruning(store, lists, histories).prune(id, keepLast, endedBeforeMs);
  }

  /** Deletes the histories of former executions of many flows, running ones included. */
  public long prune(FlowQuery which, int keepLast, long endedBeforeMs) {
    return new Pruning(store, lists, histories).prune(which, keepLast, endedBeforeMs);
  }
}
