package io.holdfast.api.wire;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.Page;
import io.holdfast.api.Result;
import io.holdfast.api.Stats;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.JournalPage;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.OpenedSession;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.RecordsRequest;
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

/**
 * A broker in which every verb is a value: each of its methods asks the same two, which so can do
 * for all verbs what they do for one.
 */
public abstract class VerbBroker implements Broker {
  /** Asks a verb. */
  protected abstract <I, O> Result<O> ask(Verb<I, O> verb, I request);

  /** Asks one of the verbs that are asynchronous, without blocking. */
  protected abstract <I, O> AsyncResult<O> askAsync(Verb<I, O> verb, I request);

  @Override
  public Result<Pushed> push(PushRequest request) {
    return ask(Verbs.PUSH, request);
  }

  @Override
  public AsyncResult<Pushed> pushAsync(PushRequest request) {
    return askAsync(Verbs.PUSH, request);
  }

  @Override
  public Result<OpenedSession> openSession() {
    return ask(Verbs.OPEN_SESSION, new Verbs.Nothing());
  }

  @Override
  public Result<Popped> pop(PopRequest request) {
    return ask(Verbs.POP, request);
  }

  @Override
  public AsyncResult<Popped> popAsync(PopRequest request) {
    return askAsync(Verbs.POP, request);
  }

  @Override
  public Result<Settled> settle(SettleRequest request) {
    return ask(Verbs.SETTLE, request);
  }

  @Override
  public AsyncResult<Settled> settleAsync(SettleRequest request) {
    return askAsync(Verbs.SETTLE, request);
  }

  @Override
  public Result<Extended> extend(ExtendRequest request) {
    return ask(Verbs.EXTEND, request);
  }

  @Override
  public AsyncResult<Extended> extendAsync(ExtendRequest request) {
    return askAsync(Verbs.EXTEND, request);
  }

  @Override
  public Result<Page<HeldLease>> leases(LeasesRequest request) {
    return ask(Verbs.LEASES, request);
  }

  @Override
  public Result<TaskInfo> start(StartRequest request) {
    return ask(Verbs.START, request);
  }

  @Override
  public Result<Committed> commit(CommitRequest request) {
    return ask(Verbs.COMMIT, request);
  }

  @Override
  public AsyncResult<Committed> commitAsync(CommitRequest request) {
    return askAsync(Verbs.COMMIT, request);
  }

  @Override
  public Result<Moved> cancel(CancelRequest request) {
    return ask(Verbs.CANCEL, request);
  }

  @Override
  public Result<Moved> reschedule(RescheduleRequest request) {
    return ask(Verbs.RESCHEDULE, request);
  }

  @Override
  public Result<QueueInfo> configure(ConfigureRequest request) {
    return ask(Verbs.CONFIGURE, request);
  }

  @Override
  public Result<Page<QueueInfo>> queues(QueuesRequest request) {
    return ask(Verbs.QUEUES, request);
  }

  @Override
  public Result<QueueInfo> queue(String name) {
    return ask(Verbs.QUEUE, new Verbs.Named(name));
  }

  @Override
  public Result<Page<QueueLoad>> loads(LoadsRequest request) {
    return ask(Verbs.LOADS, request);
  }

  @Override
  public Result<Page<PartitionInfo>> partitions(PartitionsRequest request) {
    return ask(Verbs.PARTITIONS, request);
  }

  @Override
  public Result<Page<BrowsedMessage>> browse(BrowseRequest request) {
    return ask(Verbs.BROWSE, request);
  }

  @Override
  public Result<MessageDetail> message(MessageRef message) {
    return ask(Verbs.MESSAGE, message);
  }

  @Override
  public Result<DeadLetters> deadLetters(DeadLettersRequest request) {
    return ask(Verbs.DEAD_LETTERS, request);
  }

  @Override
  public Result<DeadErrors> deadErrors(DeadErrorsRequest request) {
    return ask(Verbs.DEAD_ERRORS, request);
  }

  @Override
  public Result<Affected> requeue(RequeueRequest request) {
    return ask(Verbs.REQUEUE, request);
  }

  @Override
  public Result<Affected> removeDeadLetters(DeadLetterFilter filter) {
    return ask(Verbs.REMOVE_DEAD_LETTERS, filter);
  }

  @Override
  public Result<Page<GroupInfo>> groups(GroupsRequest request) {
    return ask(Verbs.GROUPS, request);
  }

  @Override
  public Result<Sought> seek(SeekRequest request) {
    return ask(Verbs.SEEK, request);
  }

  @Override
  public Result<StartFrom> subscribeFrom(SubscribeRequest request) {
    return ask(Verbs.SUBSCRIBE_FROM, request);
  }

  @Override
  public Result<Affected> deleteGroup(String queue, String group) {
    return ask(Verbs.DELETE_GROUP, new Verbs.GroupOfQueue(queue, group));
  }

  @Override
  public Result<Affected> purge(PurgeRequest request) {
    return ask(Verbs.PURGE, request);
  }

  @Override
  public Result<Affected> deleteQueue(String queue) {
    return ask(Verbs.DELETE_QUEUE, new Verbs.Named(queue));
  }

  @Override
  public Result<QueueInfo> pause(String queue, boolean paused) {
    return ask(Verbs.PAUSE, new Verbs.Pause(queue, paused));
  }

  @Override
  public Result<TaskInfo> task(MessageRef message) {
    return ask(Verbs.TASK, message);
  }

  @Override
  public Result<Page<TaskInfo>> tasks(TasksRequest request) {
    return ask(Verbs.TASKS, request);
  }

  @Override
  public Result<JournalPage> journal(JournalRequest request) {
    return ask(Verbs.JOURNAL, request);
  }

  @Override
  public Result<LeaseInfo> lease(String leaseId) {
    return ask(Verbs.LEASE, new Verbs.Named(leaseId));
  }

  @Override
  public Result<StoredRecord> record(RecordRequest request) {
    return ask(Verbs.RECORD, request);
  }

  @Override
  public Result<Page<StoredRecord>> records(RecordsRequest request) {
    return ask(Verbs.RECORDS, request);
  }

  @Override
  public Result<Stats> stats() {
    return ask(Verbs.STATS, new Verbs.Nothing());
  }
}
