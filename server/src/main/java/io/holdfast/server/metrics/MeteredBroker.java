package io.holdfast.server.metrics;

import io.holdfast.api.Affected;
import io.holdfast.api.Broker;
import io.holdfast.api.BrowseRequest;
import io.holdfast.api.BrowsedMessage;
import io.holdfast.api.CancelRequest;
import io.holdfast.api.CommitRequest;
import io.holdfast.api.Committed;
import io.holdfast.api.ConfigureRequest;
import io.holdfast.api.DeadLetterFilter;
import io.holdfast.api.DeadLetters;
import io.holdfast.api.DeadLettersRequest;
import io.holdfast.api.ExtendRequest;
import io.holdfast.api.Extended;
import io.holdfast.api.GroupInfo;
import io.holdfast.api.GroupsRequest;
import io.holdfast.api.JournalPage;
import io.holdfast.api.JournalRequest;
import io.holdfast.api.LeaseInfo;
import io.holdfast.api.MessageDetail;
import io.holdfast.api.MessageRef;
import io.holdfast.api.Moved;
import io.holdfast.api.Operation;
import io.holdfast.api.Page;
import io.holdfast.api.PartitionInfo;
import io.holdfast.api.PartitionsRequest;
import io.holdfast.api.PopRequest;
import io.holdfast.api.Popped;
import io.holdfast.api.PurgeRequest;
import io.holdfast.api.PushRequest;
import io.holdfast.api.Pushed;
import io.holdfast.api.QueueInfo;
import io.holdfast.api.QueuesRequest;
import io.holdfast.api.RecordRequest;
import io.holdfast.api.RecordsRequest;
import io.holdfast.api.RequeueRequest;
import io.holdfast.api.RescheduleRequest;
import io.holdfast.api.Result;
import io.holdfast.api.SeekRequest;
import io.holdfast.api.SettleRequest;
import io.holdfast.api.Settled;
import io.holdfast.api.Sought;
import io.holdfast.api.StartFrom;
import io.holdfast.api.StartRequest;
import io.holdfast.api.Stats;
import io.holdfast.api.StoredRecord;
import io.holdfast.api.SubscribeRequest;
import io.holdfast.api.TaskInfo;
import io.holdfast.api.TasksRequest;

/**
 * A broker that passes every call on to another, and tells the meters what pushes, pops and settles
 * did.
 */
final class MeteredBroker implements Broker {
  private final Broker target;
  private final BrokerMeters meters;

  MeteredBroker(Broker target, BrokerMeters meters) {
    this.target = target;
    this.meters = meters;
  }

  @Override
  public Result<Pushed> push(PushRequest request) {
    Result<Pushed> result = target.push(request);
    if (result instanceof Result.Ok<Pushed> ok) {
      meters.pushed(request, ok.value());
    }
    return result;
  }

  @Override
  public Result<Popped> pop(PopRequest request) {
    long askedMs = meters.nowMs();
    Result<Popped> result = target.pop(request);
    if (result instanceof Result.Ok<Popped> ok) {
      meters.settled(request.settles(), ok.value().settled(), askedMs);
      meters.popped(ok.value());
    }
    return result;
  }

  @Override
  public Result<Settled> settle(SettleRequest request) {
    long askedMs = meters.nowMs();
    Result<Settled> result = target.settle(request);
    if (result instanceof Result.Ok<Settled> ok) {
      meters.settled(request.settles(), ok.value().verdicts(), askedMs);
    }
    return result;
  }

  @Override
  public Result<Extended> extend(ExtendRequest request) {
    return target.extend(request);
  }

  @Override
  public Result<TaskInfo> start(StartRequest request) {
    return target.start(request);
  }

  @Override
  public Result<Committed> commit(CommitRequest request) {
    long askedMs = meters.nowMs();
    Result<Committed> result = target.commit(request);
    if (result instanceof Result.Ok<Committed> ok) {
      // A request id that was used before may be answered for other operations.
      int steps = Math.min(request.operations().size(), ok.value().steps().size());
      for (int i = 0; i < steps; i++) {
        observe(request.operations().get(i), ok.value().steps().get(i), askedMs);
      }
    }
    return result;
  }

  private void observe(Operation operation, Committed.Step step, long askedMs) {
    if (operation instanceof Operation.SettleMessage asked
        && step instanceof Committed.Step.MessageSettled done) {
      meters.settled(asked.settle(), done.verdict(), askedMs);
    } else if (operation instanceof Operation.PushMessage asked
        && step instanceof Committed.Step.MessagePushed done
        && !done.message().duplicate()) {
      meters.pushed(asked.message());
    }
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
    Result<Affected> result = target.deleteQueue(queue);
    if (result.isOk()) {
      meters.queues.forget(queue);
    }
    return result;
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
