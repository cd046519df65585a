package io.holdfast.client.remote;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.Result;
import io.holdfast.api.Stats;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.JournalPage;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.OpenedSession;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.RecordsRequest;
import io.holdfast.api.commit.RequestNumber;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.api.dead.DeadErrors;
import io.holdfast.api.dead.DeadErrorsRequest;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLetters;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.group.Sought;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.group.SubscribeRequest;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.HeldLease;
import io.holdfast.api.lease.LeaseInfo;
import io.holdfast.api.lease.LeasesRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.BrowsedMessage;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.Moved;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.message.RescheduleRequest;
import io.holdfast.api.queue.Affected;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.LoadsRequest;
import io.holdfast.api.queue.PartitionInfo;
import io.holdfast.api.queue.PartitionsRequest;
import io.holdfast.api.queue.PurgeRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueLoad;
import io.holdfast.api.queue.QueuesRequest;
import io.holdfast.api.task.StartRequest;
import io.holdfast.api.task.TaskInfo;
import io.holdfast.api.task.TasksRequest;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.Verbs;
import io.holdfast.client.AttemptIds;
import io.holdfast.client.NumberedRequest;
import io.holdfast.client.RequestSlots;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A broker in another process.
 *
 * <p>It answers as the broker there does. If that cannot be reached, or does not answer, it tries
 * again as {@link RemoteConfig} says, and then throws {@link UnreachableException}. A push or
 * commit without a request id is numbered in a producer session, so that it is not executed twice.
 *
 * <p>Thread: any, and as many as there are. They share one connection, if the server offers frames;
 * an interrupt of one has no effect on others. Dependent actions of asynchronous results may run on
 * a thread that waits for the answer to another request.
 */
public final class RemoteBroker implements Broker {
  private final Caller caller;
  private final RequestSlots slots =
      new RequestSlots(
          this::openSession, () -> askAsync(Ask.read(Verbs.OPEN_SESSION, new Verbs.Nothing())));

  private RemoteBroker(RemoteConfig config) {
    this.caller = new Caller(config);
  }

  /** Connects when it is first asked. */
  public static RemoteBroker at(RemoteConfig config) {
    return new RemoteBroker(config);
  }

  public static RemoteBroker at(String... addresses) {
    return at(RemoteConfig.of(addresses));
  }

  private <I, O> AsyncResult<O> askAsync(Ask<I, O> ask) {
    return caller.askAsync(ask);
  }

  private <I, O> Result<O> read(Verb<I, O> verb, I request) {
    return caller.ask(Ask.read(verb, request));
  }

  private <I, O> Result<O> harmless(Verb<I, O> verb, I request) {
    return caller.ask(new Ask<>(verb, request, Ask.ALWAYS));
  }

  private <I, O> Result<O> once(Verb<I, O> verb, I request) {
    return caller.ask(new Ask<>(verb, request, Ask.NEVER));
  }

  /** Asks what may wait; if the thread is interrupted, it is asked without waiting. */
  private <I, O> Result<O> parked(Ask<I, O> ask) {
    if (ask.waitMs() > 0 && !Thread.currentThread().isInterrupted()) {
      try {
        return caller.ask(ask);
      } catch (UnreachableException unanswered) {
        if (!Thread.currentThread().isInterrupted()) {
          throw unanswered;
        }
      }
    }
    return harmless(ask.verb(), ask.request().apply(0));
  }

  /**
   * A push or commit that is sent under a number.
   *
   * @param isRepeatable whether it has a number or a request id already
   */
  private <I, O> Result<O> numbered(
      Ask<I, O> ask, boolean isRepeatable, Function<RequestNumber, I> numbered) {
    if (isRepeatable) {
      return caller.ask(ask);
    }
    NumberedRequest once = new NumberedRequest(slots);
    try {
      return once.send(number -> harmless(ask.verb(), numbered.apply(number)));
    } finally {
      once.end();
    }
  }

  private <I, O> AsyncResult<O> numberedAsync(
      Ask<I, O> ask, boolean isRepeatable, Function<RequestNumber, I> numbered) {
    if (isRepeatable) {
      return askAsync(ask);
    }
    NumberedRequest once = new NumberedRequest(slots);
    AsyncResult<O> result = new AsyncResult<>();
    once.sendAsync(
        number -> askAsync(new Ask<>(ask.verb(), numbered.apply(number), Ask.ALWAYS)),
        (answer, failure) -> {
          // Only now: a result that was cancelled may still be under way.
          once.end();
          if (answer != null) {
            result.answer(answer);
          } else if (failure != null) {
            result.completeExceptionally(failure);
          }
        });
    return result;
  }

  private static Ask<PushRequest, Pushed> ask(PushRequest request) {
    return new Ask<>(Verbs.PUSH, request, repeatableMs(request.number()));
  }

  private static Ask<CommitRequest, Committed> ask(CommitRequest request) {
    return new Ask<>(Verbs.COMMIT, request, repeatableMs(request.number()));
  }

  /** A request id is repeated only while the broker remembers it. */
  private static long repeatableMs(@Nullable RequestNumber number) {
    return number != null ? Ask.ALWAYS : Limits.REQUEST_ID_MS / 2;
  }

  private static boolean isRepeatable(PushRequest request) {
    return request.number() != null || request.requestId() != null;
  }

  private static boolean isRepeatable(CommitRequest request) {
    return request.number() != null || request.requestId() != null;
  }

  @Override
  public Result<Pushed> push(PushRequest request) {
    return numbered(ask(request), isRepeatable(request), request::number);
  }

  @Override
  public AsyncResult<Pushed> pushAsync(PushRequest request) {
    return numberedAsync(ask(request), isRepeatable(request), request::number);
  }

  @Override
  public Result<OpenedSession> openSession() {
    return read(Verbs.OPEN_SESSION, new Verbs.Nothing());
  }

  /**
   * If the thread is interrupted, it answers soon, as a broker in this process does. A pop whose
   * answer got lost is sent again under one attempt id, and returns the same messages. A pop that
   * joins a lease is not sent again: what it took is in that lease, and the repeat would bring what
   * comes after. One with autoAck is: what the lost answer contained is not delivered again.
   */
  @Override
  public Result<Popped> pop(PopRequest request) {
    long waitMs = Thread.currentThread().isInterrupted() ? 0 : request.waitMs();
    try {
      return caller.ask(ask(request.waitMs(waitMs)));
    } catch (UnreachableException unanswered) {
      // The server gives back what it cannot deliver. But what was settled would not be told.
      if (waitMs > 0 && Thread.currentThread().isInterrupted() && request.settles().isEmpty()) {
        return Result.ok(new Popped(List.of(), "", 0, Popped.Reason.EMPTY, 0, List.of()));
      }
      throw unanswered;
    }
  }

  @Override
  public AsyncResult<Popped> popAsync(PopRequest request) {
    return askAsync(ask(request));
  }

  private Ask<PopRequest, Popped> ask(PopRequest request) {
    boolean needsId =
        request.attemptId() == null && request.joinLease() == null && !request.autoAck();
    PopRequest sent = needsId ? request.attemptId(AttemptIds.next()) : request;
    return new Ask<>(
        Verbs.POP,
        sent::waitMs,
        sent.waitMs(),
        sent.joinLease() == null ? Ask.ALWAYS : Ask.NEVER,
        true,
        (late, used) -> giveBack(sent, late, used));
  }

  /** Releases the messages of an answer that nobody gets to see. */
  private void giveBack(PopRequest request, Popped late, @Nullable Popped used) {
    boolean isUsed = used != null && used.leaseId().equals(late.leaseId());
    if (!isUsed && !late.leaseId().isEmpty()) {
      // If that fails, they return when the lease expires.
      caller.send(ask(request.release(late)));
    }
  }

  /** A repeat of a settle that names its lease is told {@code ALREADY_SETTLED}, and harmless. */
  @Override
  public Result<Settled> settle(SettleRequest request) {
    return caller.ask(ask(request));
  }

  @Override
  public AsyncResult<Settled> settleAsync(SettleRequest request) {
    return askAsync(ask(request));
  }

  private static Ask<SettleRequest, Settled> ask(SettleRequest request) {
    boolean fenced =
        request.settles().stream()
            .noneMatch(settle -> settle.target() instanceof Settle.Target.Unfenced);
    return new Ask<>(Verbs.SETTLE, request, fenced ? Ask.ALWAYS : Ask.NEVER);
  }

  @Override
  public Result<Extended> extend(ExtendRequest request) {
    return parked(ask(request));
  }

  @Override
  public AsyncResult<Extended> extendAsync(ExtendRequest request) {
    return askAsync(ask(request));
  }

  private static Ask<ExtendRequest, Extended> ask(ExtendRequest request) {
    return new Ask<>(
        Verbs.EXTEND,
        waitMs -> new ExtendRequest(request.leaseId(), request.leaseMs(), waitMs),
        request.waitMs(),
        Ask.ALWAYS);
  }

  @Override
  public Result<LeaseInfo> lease(String leaseId) {
    return read(Verbs.LEASE, new Verbs.Named(leaseId));
  }

  @Override
  public Result<Page<HeldLease>> leases(LeasesRequest request) {
    return read(Verbs.LEASES, request);
  }

  @Override
  public Result<TaskInfo> start(StartRequest request) {
    return harmless(Verbs.START, request);
  }

  @Override
  public Result<Committed> commit(CommitRequest request) {
    return numbered(ask(request), isRepeatable(request), request::number);
  }

  @Override
  public AsyncResult<Committed> commitAsync(CommitRequest request) {
    return numberedAsync(ask(request), isRepeatable(request), request::number);
  }

  @Override
  public Result<Moved> cancel(CancelRequest request) {
    return once(Verbs.CANCEL, request);
  }

  @Override
  public Result<Moved> reschedule(RescheduleRequest request) {
    return harmless(Verbs.RESCHEDULE, request);
  }

  @Override
  public Result<QueueInfo> configure(ConfigureRequest request) {
    return harmless(Verbs.CONFIGURE, request);
  }

  @Override
  public Result<Page<QueueInfo>> queues(QueuesRequest request) {
    return read(Verbs.QUEUES, request);
  }

  @Override
  public Result<QueueInfo> queue(String name) {
    return read(Verbs.QUEUE, new Verbs.Named(name));
  }

  @Override
  public Result<Page<QueueLoad>> loads(LoadsRequest request) {
    return read(Verbs.LOADS, request);
  }

  @Override
  public Result<Page<PartitionInfo>> partitions(PartitionsRequest request) {
    return read(Verbs.PARTITIONS, request);
  }

  @Override
  public Result<Page<BrowsedMessage>> browse(BrowseRequest request) {
    return read(Verbs.BROWSE, request);
  }

  @Override
  public Result<MessageDetail> message(MessageRef message) {
    return read(Verbs.MESSAGE, message);
  }

  @Override
  public Result<DeadLetters> deadLetters(DeadLettersRequest request) {
    return read(Verbs.DEAD_LETTERS, request);
  }

  @Override
  public Result<DeadErrors> deadErrors(DeadErrorsRequest request) {
    return read(Verbs.DEAD_ERRORS, request);
  }

  @Override
  public Result<Affected> requeue(RequeueRequest request) {
    return request.dryRun() ? read(Verbs.REQUEUE, request) : once(Verbs.REQUEUE, request);
  }

  @Override
  public Result<Affected> removeDeadLetters(DeadLetterFilter filter) {
    return once(Verbs.REMOVE_DEAD_LETTERS, filter);
  }

  @Override
  public Result<Page<GroupInfo>> groups(GroupsRequest request) {
    return read(Verbs.GROUPS, request);
  }

  @Override
  public Result<Sought> seek(SeekRequest request) {
    return harmless(Verbs.SEEK, request);
  }

  @Override
  public Result<StartFrom> subscribeFrom(SubscribeRequest request) {
    return harmless(Verbs.SUBSCRIBE_FROM, request);
  }

  @Override
  public Result<Affected> deleteGroup(String queue, String group) {
    return once(Verbs.DELETE_GROUP, new Verbs.GroupOfQueue(queue, group));
  }

  @Override
  public Result<Affected> purge(PurgeRequest request) {
    return once(Verbs.PURGE, request);
  }

  @Override
  public Result<Affected> deleteQueue(String queue) {
    return once(Verbs.DELETE_QUEUE, new Verbs.Named(queue));
  }

  @Override
  public Result<QueueInfo> pause(String queue, boolean paused) {
    return harmless(Verbs.PAUSE, new Verbs.Pause(queue, paused));
  }

  @Override
  public Result<TaskInfo> task(MessageRef message) {
    return read(Verbs.TASK, message);
  }

  @Override
  public Result<Page<TaskInfo>> tasks(TasksRequest request) {
    return read(Verbs.TASKS, request);
  }

  @Override
  public Result<JournalPage> journal(JournalRequest request) {
    return read(Verbs.JOURNAL, request);
  }

  @Override
  public Result<StoredRecord> record(RecordRequest request) {
    return parked(
        new Ask<>(
            Verbs.RECORD,
            waitMs -> new RecordRequest(request.key(), request.newerThan(), waitMs),
            request.waitMs(),
            Ask.ALWAYS));
  }

  @Override
  public Result<Page<StoredRecord>> records(RecordsRequest request) {
    return read(Verbs.RECORDS, request);
  }

  @Override
  public Result<Stats> stats() {
    return read(Verbs.STATS, new Verbs.Nothing());
  }

  /** Closes the connections; the broker there is not affected. Calls that wait are refused. */
  @Override
  public void close() {
    caller.close();
  }
}
