package io.holdfast.api;

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

/** A broker that passes every call on to another; whoever extends it overrides what it changes. */
public abstract class ForwardingBroker implements Broker {
  private final Broker target;

  protected ForwardingBroker(Broker target) {
    this.target = target;
  }

  /** The broker that calls are passed on to. */
  protected final Broker target() {
    return target;
  }

  @Override
  public Result<Pushed> push(PushRequest request) {
    return target.push(request);
  }

  @Override
  public Result<OpenedSession> openSession() {
    return target.openSession();
  }

  @Override
  public Result<Popped> pop(PopRequest request) {
    return target.pop(request);
  }

  @Override
  public Result<Settled> settle(SettleRequest request) {
    return target.settle(request);
  }

  @Override
  public Result<Extended> extend(ExtendRequest request) {
    return target.extend(request);
  }

  @Override
  public Result<Page<HeldLease>> leases(LeasesRequest request) {
    return target.leases(request);
  }

  @Override
  public Result<TaskInfo> start(StartRequest request) {
    return target.start(request);
  }

  @Override
  public Result<Committed> commit(CommitRequest request) {
    return target.commit(request);
  }

  @Override
  public Result<Moved> cancel(CancelRequest request) {
    return target.cancel(request);
  }

  @Override
  public Result<Moved> reschedule(RescheduleRequest request) {
    return target.reschedule(request);
  }

  @Override
  public Result<QueueInfo> configure(ConfigureRequest request) {
    return target.configure(request);
  }

  @Override
  public Result<Page<QueueInfo>> queues(QueuesRequest request) {
    return target.queues(request);
  }

  @Override
  public Result<QueueInfo> queue(String name) {
    return target.queue(name);
  }

  @Override
  public Result<Page<QueueLoad>> loads(LoadsRequest request) {
    return target.loads(request);
  }

  @Override
  public Result<Page<PartitionInfo>> partitions(PartitionsRequest request) {
    return target.partitions(request);
  }

  @Override
  public Result<Page<BrowsedMessage>> browse(BrowseRequest request) {
    return target.browse(request);
  }

  @Override
  public Result<MessageDetail> message(MessageRef message) {
    return target.message(message);
  }

  @Override
  public Result<DeadLetters> deadLetters(DeadLettersRequest request) {
    return target.deadLetters(request);
  }

  @Override
  public Result<DeadErrors> deadErrors(DeadErrorsRequest request) {
    return target.deadErrors(request);
  }

  @Override
  public Result<Affected> requeue(RequeueRequest request) {
    return target.requeue(request);
  }

  @Override
  public Result<Affected> removeDeadLetters(DeadLetterFilter filter) {
    return target.removeDeadLetters(filter);
  }

  @Override
  public Result<Page<GroupInfo>> groups(GroupsRequest request) {
    return target.groups(request);
  }

  @Override
  public Result<Sought> seek(SeekRequest request) {
    return target.seek(request);
  }

  @Override
  public Result<StartFrom> subscribeFrom(SubscribeRequest request) {
    return target.subscribeFrom(request);
  }

  @Override
  public Result<Affected> deleteGroup(String queue, String group) {
    return target.deleteGroup(queue, group);
  }

  @Override
  public Result<Affected> purge(PurgeRequest request) {
    return target.purge(request);
  }

  @Override
  public Result<Affected> deleteQueue(String queue) {
    return target.deleteQueue(queue);
  }

  @Override
  public Result<QueueInfo> pause(String queue, boolean paused) {
    return target.pause(queue, paused);
  }

  @Override
  public Result<TaskInfo> task(MessageRef message) {
    return target.task(message);
  }

  @Override
  public Result<Page<TaskInfo>> tasks(TasksRequest request) {
    return target.tasks(request);
  }

  @Override
  public Result<JournalPage> journal(JournalRequest request) {
    return target.journal(request);
  }

  @Override
  public Result<LeaseInfo> lease(String leaseId) {
    return target.lease(leaseId);
  }

  @Override
  public Result<StoredRecord> record(RecordRequest request) {
    return target.record(request);
  }

  @Override
  public Result<Page<StoredRecord>> records(RecordsRequest request) {
    return target.records(request);
  }

  @Override
  public Result<Stats> stats() {
    return target.stats();
  }

  @Override
  public void close() {
    target.close();
  }
}
