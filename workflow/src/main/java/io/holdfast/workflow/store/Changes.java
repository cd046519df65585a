package io.holdfast.workflow.store;

import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.workflow.Failure;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.ExecutionId;
import io.holdfast.workflow.history.Parent;
import io.holdfast.workflow.message.Forms;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.message.WorkOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is to change in a broker, all or nothing.
 *
 * <p>Settles come first, so that a refusal that blames one of the first operations blames a message
 * that was held; and pushes come last, those to one place one after the other, for then the broker
 * stores them together. Besides, things happen in the order in which they were asked for.
 *
 * <p>Thread: one.
 */
public final class Changes {
  private static final byte[] NOTHING = {};

  /** What an operation takes besides what it carries, roughly. */
  private static final int OPERATION_BYTES = 100;

  /** Where a message goes. */
  private record Place(String queue, String partition) {}

  private final Keys keys;
  private final List<Operation> settles = new ArrayList<>();
  private final List<Operation> others = new ArrayList<>();
  private final List<Operation.PushMessage> pushes = new ArrayList<>();
  private long bytes;

  public Changes(Keys keys) {
    this.keys = keys;
  }

  public boolean isEmpty() {
    return size() == 0;
  }

  /** How many operations these are. */
  public int size() {
    return settles.size() + others.size() + pushes.size();
  }

  /** Roughly the bytes of all of it. */
  public long bytes() {
    return bytes + (long) OPERATION_BYTES * size();
  }

  public CommitRequest request() {
    List<Operation> all = new ArrayList<>(size());
    all.addAll(settles);
    all.addAll(others);
    Map<Place, List<Operation>> byPlace = new LinkedHashMap<>();
    for (Operation.PushMessage push : pushes) {
      Place place = new Place(push.message().queue(), push.message().partition());
      byPlace.computeIfAbsent(place, any -> new ArrayList<>()).add(push);
    }
    byPlace.values().forEach(all::addAll);
    return new CommitRequest(all, null);
  }

  /** Whether an operation of a request is one of these. */
  @SuppressWarnings("ReferenceEquality")
  boolean has(Operation operation) {
    List<? extends Operation> some =
        switch (operation) {
          case Operation.SettleMessage settle -> settles;
          case Operation.PushMessage push -> pushes;
          default -> others;
        };
    return some.stream().anyMatch(one -> one == operation);
  }

  /** Adds what is to change for others. */
  public Changes add(Changes more) {
    settles.addAll(more.settles);
    others.addAll(more.others);
    pushes.addAll(more.pushes);
    bytes += more.bytes;
    return this;
  }

  public Changes ack(Collection<Handle> messages) {
    for (Handle message : messages) {
      settle(Settle.ack(message));
    }
    return this;
  }

  /** Ends the delivery of a message, in whatever way. */
  public Changes settle(Settle settle) {
    settles.add(new Operation.SettleMessage(settle));
    return this;
  }

  /** Appends events to the history of an execution that holds so many. */
  public Changes append(ExecutionId id, long position, List<Event> events) {
    List<byte[]> rows = new ArrayList<>(events.size());
    for (Event event : events) {
      rows.add(Forms.EVENT.write(event));
    }
    return append(keys.history(id), position, rows);
  }

  private Changes append(String journal, long position, List<byte[]> rows) {
    if (!rows.isEmpty()) {
      others.add(new Operation.AppendJournal(journal, position, rows));
      for (byte[] row : rows) {
        bytes += row.length;
      }
    }
    return this;
  }

  /** Does what events of a flow ask for: work, timers, other flows. */
  public Changes effects(ExecutionId id, long position, List<Event> events) {
    long number = position;
    for (Event event : events) {
      effect(id, number++, event);
    }
    return this;
  }

  private void effect(ExecutionId id, long number, Event event) {
    switch (event) {
      case Event.CallScheduled e -> call(id, number, e);
      case Event.TimerSet e -> timer(id, number, e.forMs());
      case Event.SubStarted e -> sub(id, number, e);
      case Event.Launched e ->
          send(e.flow(), new TurnMessage.Start(e.name(), e.version(), e.input(), null));
      case Event.TaskCancelled e -> cancelled(id, e);
      default -> {}
    }
  }

  /** Has an activity done, unless it is under way already. */
  public Changes call(ExecutionId id, long task, Event.CallScheduled call) {
    WorkOrder order = new WorkOrder(id, task, call.activity(), call.input(), call.retry());
    return push(
        NewMessage.to(keys.work(call.tag()), Forms.WORK.write(order))
            .partition(Keys.workPartition(id.flow()))
            .transactionId(Keys.workName(id, task)));
  }

  /** Has an activity done again, whatever became of it: its name may still be taken. */
  public Changes callAgain(ExecutionId id, long task, Event.CallScheduled call) {
    cancel(work(id, task, call.tag()));
    return call(id, task, call);
  }

  private MessageRef.ByName work(ExecutionId id, long task, String tag) {
    return new MessageRef.ByName(
        keys.work(tag), Keys.workPartition(id.flow()), Keys.workName(id, task));
  }

  /** Sets a timer, unless it is set already. */
  public Changes timer(ExecutionId id, long task, long forMs) {
    byte[] payload = Forms.TURN.write(new TurnMessage.Fire(id, task));
    return push(
        NewMessage.to(keys.turns(), payload)
            .partition(id.flow())
            .transactionId(Keys.taskName(id, task))
            .delayMs(forMs));
  }

  public Changes sub(ExecutionId id, long task, Event.SubStarted sub) {
    Parent parent = new Parent(id, task);
    return send(sub.flow(), new TurnMessage.Start(sub.name(), sub.version(), sub.input(), parent));
  }

  private void cancelled(ExecutionId id, Event.TaskCancelled event) {
    switch (event.what()) {
      case CALL -> cancel(work(id, event.task(), event.where()));
      case TIMER ->
          cancel(new MessageRef.ByName(keys.turns(), id.flow(), Keys.taskName(id, event.task())));
      case SUB ->
          send(event.where(), new TurnMessage.Cancel("its parent " + id.flow() + " cancelled it"));
      case EVENT -> {}
    }
  }

  /** Takes a message back, also one that would be pushed with all of this: pushes come last. */
  private void cancel(MessageRef.ByName message) {
    others.add(new Operation.CancelMessage(message));
    pushes.removeIf(push -> isNamed(push.message(), message));
  }

  private static boolean isNamed(NewMessage pushed, MessageRef.ByName name) {
    return name.transactionId().equals(pushed.transactionId())
        && name.partition().equals(pushed.partition())
        && name.queue().equals(pushed.queue());
  }

  /** Sends something to a flow. */
  public Changes send(String id, TurnMessage message) {
    return push(NewMessage.to(keys.turns(), Forms.TURN.write(message)).partition(id));
  }

  /** Sends the result of a flow to its parent, if it has one. */
  public Changes answer(@Nullable Parent parent, byte[] output) {
    return parent == null
        ? this
        : send(
            parent.flow(),
            new TurnMessage.Complete(
                parent.execution(), parent.task(), output, parent.incarnation()));
  }

  /** Sends the failure of a flow to its parent, if it has one. */
  public Changes fail(@Nullable Parent parent, Failure failure) {
    return parent == null
        ? this
        : send(
            parent.flow(),
            new TurnMessage.Fail(parent.execution(), parent.task(), failure, parent.incarnation()));
  }

  /** Sends something to a flow, unless a message of that name is on its way. */
  public Changes sendOnce(String id, String name, TurnMessage message) {
    return push(
        NewMessage.to(keys.turns(), Forms.TURN.write(message)).partition(id).transactionId(name));
  }

  private Changes push(NewMessage message) {
    pushes.add(new Operation.PushMessage(message, true));
    bytes += message.payload().length;
    return this;
  }

  /** Keeps messages for a flow that cannot take them now; so many are kept already. */
  public Changes keep(String id, long kept, List<byte[]> messages) {
    return append(keys.inbox(id), kept, messages);
  }

  /** The messages that were kept are with the flow now. */
  public Changes emptyInbox(String id) {
    deleteJournal(keys.inbox(id));
    return this;
  }

  /** Something is to be known before a flow begins, such as events that came for it. */
  public Changes early(String id, long nowMs) {
    byte[] since = Long.toString(nowMs).getBytes(StandardCharsets.US_ASCII);
    return put(keys.begun(id), since).put(keys.early(id), since);
  }

  /**
   * The first turn of a flow; refuses all of it if there was one, or something is to be known
   * first.
   */
  public Changes begin(String id) {
    return put(keys.begun(id), 0, NOTHING);
  }

  /**
   * The first turn of a flow of which something is known; refuses all of it if there was one, or
   * there is something else to be known by now.
   *
   * @param version of the record that says so; 0 if there is none
   */
  public Changes begin(String id, long version) {
    return put(keys.begun(id), version, NOTHING).delete(keys.early(id));
  }

  /** A flow ends, perhaps without a turn: from here on its start is a repeated one. */
  public Changes neverBegins(String id) {
    return begin(id, Operation.ANY_VERSION);
  }

  /** Refuses all of it if there is a record of a flow. */
  public Changes unlessBorn(String id) {
    return delete(keys.flow(id), 0);
  }

  /** Makes the record of a flow, and refuses all of it if there is one. */
  public Changes create(String id, FlowRecord flow) {
    put(keys.flow(id), 0, FlowRecord.FORM.write(flow));
    return index(id, null, flow);
  }

  /** Changes the record of a flow and the lists that it is in. */
  public Changes save(String id, @Nullable FlowRecord before, FlowRecord after) {
    put(keys.flow(id), FlowRecord.FORM.write(after));
    return index(id, before, after);
  }

  /** The same in the middle of a turn; refuses all of it if the record is of another version. */
  public Changes save(String id, long version, @Nullable FlowRecord before, FlowRecord after) {
    replace(id, version, after);
    return index(id, before, after);
  }

  private Changes index(String id, @Nullable FlowRecord before, FlowRecord after) {
    boolean moved = before == null || before.status() != after.status();
    if (!moved) {
      return this;
    }
    if (before != null) {
      unlist(id, before);
    }
    put(
        keys.status(after.status(), after.name(), id),
        Summary.FORM.write(
            new Summary(
                after.version(), after.createdMs(), after.sinceMs(), after.parent() != null)));
    if (after.isEnded()) {
      put(keys.ended(after.sinceMs(), id), NOTHING);
    }
    Parent parent = after.parent();
    if (parent != null && before == null) {
      put(keys.child(parent.flow(), id), NOTHING);
    }
    return this;
  }

  /** A flow that nobody has looked at: it may be in the list of those that wait for their start. */
  public Changes noLongerPending(String id, String name) {
    return delete(keys.status(FlowStatus.PENDING, name, id));
  }

  private void unlist(String id, FlowRecord flow) {
    delete(keys.status(flow.status(), flow.name(), id));
    if (flow.isEnded()) {
      delete(keys.ended(flow.sinceMs(), id));
    }
  }

  /**
   * Deletes a flow with all that is kept of it, but for messages on their way; refuses all of it if
   * its record is of another version.
   */
  public Changes remove(String id, FlowRecord flow, long version) {
    delete(keys.flow(id), version);
    unlist(id, flow);
    Parent parent = flow.parent();
    if (parent != null) {
      delete(keys.child(parent.flow(), id));
    }
    ExecutionId current = flow.executionId(id);
    for (long number = flow.oldest(); number <= current.number(); number++) {
      forget(current.withNumber(number));
    }
    return emptyInbox(id).delete(keys.early(id)).delete(keys.begun(id));
  }

  /** Deletes the history of an execution. */
  public Changes forget(ExecutionId id) {
    deleteJournal(keys.history(id));
    return this;
  }

  /** Changes the record of a flow whose status stays; refused if it is of another version. */
  public Changes replace(String id, long version, FlowRecord after) {
    return put(keys.flow(id), version, FlowRecord.FORM.write(after));
  }

  /**
   * What came before a start that never came is deleted; refused if more came, or it began, since.
   */
  public Changes forgetEarly(String id, long version) {
    return delete(keys.begun(id), version).delete(keys.early(id)).emptyInbox(id);
  }

  private void deleteJournal(String journal) {
    others.add(new Operation.DeleteJournal(journal));
  }

  private Changes put(String key, byte[] value) {
    return put(key, Operation.ANY_VERSION, value);
  }

  private Changes put(String key, long version, byte[] value) {
    others.add(new Operation.PutRecord(key, version, value));
    bytes += value.length;
    return this;
  }

  private Changes delete(String key) {
    return delete(key, Operation.ANY_VERSION);
  }

  private Changes delete(String key, long version) {
    others.add(new Operation.DeleteRecord(key, version));
    return this;
  }
}
