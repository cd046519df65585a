package io.holdfast.api;

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
 * A durable message broker, wherever it runs.
 *
 * <p>Every method but the asynchronous ones blocks until the answer is as durable as the broker
 * promises; call it from virtual threads. A refusal is a {@link Result.Refused} and changed
 * nothing. Arguments that no broker could accept are refused by their records with an {@link
 * InvalidArgumentException} that names the field.
 *
 * <p>Thread: any number of threads may call any method at any time.
 */
public interface Broker extends AutoCloseable {
  /** Stores messages, all or none, duplicates aside. Makes queues and partitions that are new. */
  Result<Pushed> push(PushRequest request);

  /**
   * Opens a producer session, in which pushes and commits can be numbered: see {@link
   * RequestNumber}.
   */
  Result<OpenedSession> openSession();

  /**
   * Leases messages, waiting for them if asked to. Makes a queue or a group that is new.
   *
   * <p>Settles that the request carries are decided first, each by itself, and in the same step. If
   * the pop is refused, none of them were applied: send them again with {@link #settle}.
   */
  Result<Popped> pop(PopRequest request);

  /** Ends deliveries. Refused as a whole never; each settle has its verdict. */
  Result<Settled> settle(SettleRequest request);

  /** Gives a live lease more time; refused with {@link ErrorCode#STALE_LEASE} if it is over. */
  Result<Extended> extend(ExtendRequest request);

  /** What is known of a lease; {@link ErrorCode#NOT_FOUND} of one too long over. */
  Result<LeaseInfo> lease(String leaseId);

  /** The live leases of a queue, those that end first in front. A page may be short. */
  Result<Page<HeldLease>> leases(LeasesRequest request);

  /** Marks a leased task as running. */
  Result<TaskInfo> start(StartRequest request);

  /** Does several things, all or none. The refusal names the operation that failed. */
  Result<Committed> commit(CommitRequest request);

  /** Takes a message back for all groups, in any state; a leased one leaves its lease. */
  Result<Moved> cancel(CancelRequest request);

  /** Makes a message visible at another time. */
  Result<Moved> reschedule(RescheduleRequest request);

  /** Makes a queue or changes its options. */
  Result<QueueInfo> configure(ConfigureRequest request);

  Result<Page<QueueInfo>> queues(QueuesRequest request);

  Result<QueueInfo> queue(String name);

  /** What goes through each queue, and how far it is behind. */
  Result<Page<QueueLoad>> loads(LoadsRequest request);

  Result<Page<PartitionInfo>> partitions(PartitionsRequest request);

  /** Looks at messages without taking them. A page of large ones may end before its limit. */
  Result<Page<BrowsedMessage>> browse(BrowseRequest request);

  /** One message in whatever state, with its failed attempts and why it is not delivered. */
  Result<MessageDetail> message(MessageRef message);

  /** Lists dead letters. A page of large ones may end before its limit. */
  Result<DeadLetters> deadLetters(DeadLettersRequest request);

  /** What the dead letters of a queue died of. */
  Result<DeadErrors> deadErrors(DeadErrorsRequest request);

  /** Delivers dead letters again. */
  Result<Affected> requeue(RequeueRequest request);

  /** Removes the dead letters that match; with {@link DeadLetterFilter#queue} alone, all. */
  Result<Affected> removeDeadLetters(DeadLetterFilter filter);

  Result<Page<GroupInfo>> groups(GroupsRequest request);

  /** Moves a group forwards or backwards; its leases there end. */
  Result<Sought> seek(SeekRequest request);

  /**
   * Changes where a group begins on partitions that come later; answers where it began so far.
   *
   * <p>On partitions that are there already it goes on as before.
   */
  Result<StartFrom> subscribeFrom(SubscribeRequest request);

  /** Forgets a group of a queue, with its leases and dead letters. */
  Result<Affected> deleteGroup(String queue, String group);

  /** Removes the messages of a queue or partition. */
  Result<Affected> purge(PurgeRequest request);

  /** Deletes a queue and all it holds. */
  Result<Affected> deleteQueue(String queue);

  /** Stops, or with false resumes, deliveries from a queue. Pushes and settles go on. */
  Result<QueueInfo> pause(String queue, boolean paused);

  /** The task of a tracked message. */
  Result<TaskInfo> task(MessageRef message);

  Result<Page<TaskInfo>> tasks(TasksRequest request);

  Result<JournalPage> journal(JournalRequest request);

  /** Reads a record, waiting for a newer version if asked to. */
  Result<StoredRecord> record(RecordRequest request);

  Result<Page<StoredRecord>> records(RecordsRequest request);

  Result<Stats> stats();

  /**
   * {@link #push} without blocking. Brokers that cannot do that run the blocking call on a thread
   * of its own; so do the other asynchronous methods.
   */
  default AsyncResult<Pushed> pushAsync(PushRequest request) {
    return AsyncResult.onThread(() -> push(request));
  }

  /**
   * {@link #pop} without blocking. If the result is cancelled or times out, the messages that it
   * takes are released.
   */
  default AsyncResult<Popped> popAsync(PopRequest request) {
    return AsyncResult.onThread(() -> pop(request), late -> giveBack(request, late));
  }

  /** Releases what a pop took whose result nobody uses. */
  private void giveBack(PopRequest request, Result<Popped> late) {
    if (late.isOk() && !late.orThrow().leaseId().isEmpty()) {
      settle(request.release(late.orThrow()));
    }
  }

  /** {@link #settle} without blocking. */
  default AsyncResult<Settled> settleAsync(SettleRequest request) {
    return AsyncResult.onThread(() -> settle(request));
  }

  /** {@link #extend} without blocking. */
  default AsyncResult<Extended> extendAsync(ExtendRequest request) {
    return AsyncResult.onThread(() -> extend(request));
  }

  /** {@link #commit} without blocking. */
  default AsyncResult<Committed> commitAsync(CommitRequest request) {
    return AsyncResult.onThread(() -> commit(request));
  }

  /** Stops taking requests, answers what waits, flushes, and lets go of the data. */
  @Override
  void close();
}
