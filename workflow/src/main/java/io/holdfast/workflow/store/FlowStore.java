package io.holdfast.workflow.store;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.Result;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.JournalPage;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.wire.WireException;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.ExecutionId;
import io.holdfast.workflow.history.History;
import io.holdfast.workflow.message.Forms;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Flows in a broker: what workers fetch, give back and change.
 *
 * <p>Thread: any.
 */
public final class FlowStore {
  /** Most messages of all flows that one fetch brings. */
  private static final int TURN_MESSAGES_MAX = 1_000;

  private final Broker broker;
  private final Keys keys;
  private final SharedCommits shared;

  public FlowStore(Broker broker, Keys keys) {
    this.broker = broker;
    this.keys = keys;
    this.shared = new SharedCommits(keys, broker::commit);
  }

  public Broker broker() {
    return broker;
  }

  public Keys keys() {
    return keys;
  }

  public Changes changes() {
    return new Changes(keys);
  }

  /** Makes the queues, or brings their options to what flows need. */
  public void prepare(Iterable<String> tags) {
    broker.configure(queue(keys.turns(), "ordered")).orThrow();
    for (String tag : tags) {
      broker.configure(queue(keys.work(tag), "shared")).orThrow();
    }
  }

  /** A queue in which nothing dies, nothing is kept when done, and names are free when done. */
  private static ConfigureRequest queue(String name, String delivery) {
    return ConfigureRequest.queue(name)
        .set(QueueOption.DELIVERY, delivery)
        .set(QueueOption.RETRY_LIMIT, 1_000_000L)
        .set(QueueOption.DELIVERY_LIMIT, 0L)
        .set(QueueOption.DEDUP_WINDOW, 0L)
        .set(QueueOption.COMPLETED_RETENTION, 0L);
  }

  /** The flows that have something to do, each with all that came for it, under one lease. */
  public Fetched<FetchedTurn> fetchTurns(int flows, long waitMs, long leaseMs, String worker) {
    return fetchTurns(flows, waitMs, leaseMs, worker, 0);
  }

  /**
   * The same, without flows whose last turn another worker had.
   *
   * @param stickyMs how long such a flow is left to that worker when it has something to do
   */
  public Fetched<FetchedTurn> fetchTurns(
      int flows, long waitMs, long leaseMs, String worker, long stickyMs) {
    Popped popped =
        broker
            .pop(
                PopRequest.queue(keys.turns())
                    .partitions(Math.min(flows, Limits.POP_PARTITIONS_MAX))
                    .batch(TURN_MESSAGES_MAX)
                    .waitMs(waitMs)
                    .leaseMs(leaseMs)
                    .worker(worker)
                    .stickyMs(stickyMs))
            .orThrow();
    Map<String, List<Delivery>> byFlow = new LinkedHashMap<>();
    for (Delivery delivery : popped.messages()) {
      byFlow.computeIfAbsent(delivery.message().partition(), id -> new ArrayList<>()).add(delivery);
    }
    List<FetchedTurn> turns = new ArrayList<>(byFlow.size());
    byFlow.forEach((id, messages) -> turns.add(new FetchedTurn(id, messages)));
    return new Fetched<>(popped.leaseId(), turns);
  }

  /** Activities of a tag that are to be done, under one lease. */
  public Fetched<Delivery> fetchWork(
      String tag, int count, long waitMs, long leaseMs, String worker) {
    Popped popped =
        broker
            .pop(
                PopRequest.queue(keys.work(tag))
                    .batch(count)
                    .partitions(count)
                    .waitMs(waitMs)
                    .leaseMs(leaseMs)
                    .worker(worker))
            .orThrow();
    return new Fetched<>(popped.leaseId(), popped.messages());
  }

  /** Commits that share one with others. */
  public SharedCommits shared() {
    return shared;
  }

  public Result<Committed> commit(Changes changes) {
    return broker.commit(changes.request());
  }

  /** Whether a message that was fetched is still with the one who fetched it. */
  public boolean isHeld(Delivery delivery) {
    Result<MessageDetail> found = broker.message(MessageRef.id(delivery.message().id()));
    if (!found.isOk() && found.refusal().code() == ErrorCode.NOT_FOUND) {
      return false;
    }
    return found.orThrow().groups().stream()
        .anyMatch(view -> delivery.handle().leaseId().equals(view.leaseId()));
  }

  /** The record of a flow; null if there is none. */
  public @Nullable FlowRecord flow(String id) {
    return flow(record(id));
  }

  /** The record of a flow with its version. */
  public StoredRecord record(String id) {
    return broker.record(RecordRequest.of(keys.flow(id))).orThrow();
  }

  public static @Nullable FlowRecord flow(StoredRecord record) {
    return record.exists() ? FlowRecord.FORM.read(record.value()) : null;
  }

  public Loaded load(String id) {
    FlowRecord flow = flow(id);
    List<byte[]> inbox = all(keys.inbox(id));
    if (flow == null || flow.isNew()) {
      long begun = broker.record(RecordRequest.of(keys.begun(id))).orThrow().version();
      return new Loaded(flow, new History(), 0, null, inbox, begun);
    }
    List<byte[]> rows = all(keys.history(flow.executionId(id)));
    try {
      return new Loaded(flow, History.of(events(rows)), rows.size(), null, inbox, 0);
    } catch (WireException e) {
      return new Loaded(flow, null, rows.size(), e.getMessage(), inbox, 0);
    }
  }

  /**
   * The events of an execution.
   *
   * @throws WireException if one of them cannot be read
   */
  public List<Event> events(ExecutionId id) {
    return events(all(keys.history(id)));
  }

  /**
   * The events of an execution of a flow, by its number; none if there is no such flow.
   *
   * @throws WireException if one of them cannot be read
   */
  public List<Event> events(String id, long execution) {
    FlowRecord flow = flow(id);
    return flow == null ? List.of() : events(flow.executionId(id).withNumber(execution));
  }

  /** How many events an execution has. */
  public long length(ExecutionId id) {
    return length(id, 0);
  }

  /** Whether an execution has so many events; reads none of them if it has. */
  public boolean isAt(ExecutionId id, long position) {
    return length(id, position) == position;
  }

  private long length(ExecutionId id, long from) {
    return broker.journal(new JournalRequest(keys.history(id), from, 1)).orThrow().length();
  }

  /** Whether a flow has had a turn, or there is something that its first turn has to know. */
  public boolean isKnown(String id) {
    return broker.record(RecordRequest.of(keys.begun(id))).orThrow().exists();
  }

  private static List<Event> events(List<byte[]> rows) {
    List<Event> events = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      try {
        events.add(Forms.EVENT.read(rows.get(i)));
      } catch (WireException e) {
        throw new WireException("event " + i + ": " + e.getMessage());
      }
    }
    return events;
  }

  private List<byte[]> all(String journal) {
    List<byte[]> events = new ArrayList<>();
    JournalPage page;
    do {
      page = broker.journal(new JournalRequest(journal, events.size(), Limits.PAGE_MAX)).orThrow();
      events.addAll(page.events());
    } while (!page.events().isEmpty() && events.size() < page.length());
    return events;
  }
}
