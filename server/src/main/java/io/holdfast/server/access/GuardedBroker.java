package io.holdfast.server.access;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.ForwardingAsyncBroker;
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
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A broker that lets each caller touch only the queues, journals and records its token is for.
 *
 * <p>Invariant: it stands between the broker and all faces, and is the only place where names are
 * compared with patterns. It has every verb of {@link Broker}; a test sees to that. What is named
 * and not covered is refused, whether it is there or not. What is not named but belongs to a queue
 * that is not covered is as if it were absent. The records that the server keeps for itself nobody
 * changes.
 *
 * <p>Thread: any that answers a request, so that there is a {@link Caller}.
 */
public final class GuardedBroker extends ForwardingAsyncBroker {
  private final Belongings belongings;
  private final GuardedRequests requests;

  public GuardedBroker(Broker target) {
    super(target);
    this.belongings = new Belongings(target);
    this.requests = new GuardedRequests(belongings);
  }

  static <T> Result<T> forbidden(Grant grant, String kind, String name) {
    return Result.refused(
        ErrorCode.FORBIDDEN,
        "%s is not for the %s %s; it is for %s".formatted(grant.told(), kind, name, grant.names()));
  }

  /** Asks of something that is named. */
  private static <T> Result<T> named(String kind, String name, Supplier<Result<T>> ask) {
    Grant grant = Caller.currentGrant();
    return grant.covers(name) ? ask.get() : forbidden(grant, kind, name);
  }

  private static <T> Result<T> ofQueue(String queue, Supplier<Result<T>> ask) {
    return named("queue", queue, ask);
  }

  /** Asks what the caller may ask of a request, if that is anything. */
  private static <I, O> Result<O> ask(Result<I> allowed, Function<I, Result<O>> ask) {
    return allowed.isOk() ? ask.apply(allowed.orThrow()) : Result.refused(allowed.refusal());
  }

  @Override
  public Result<Pushed> push(PushRequest request) {
    Grant grant = Caller.currentGrant();
    return grant.isUnlimited()
        ? super.push(request)
        : ask(requests.push(grant, request), super::push);
  }

  @Override
  public AsyncResult<Pushed> pushAsync(PushRequest request) {
    return Caller.currentGrant().isUnlimited()
        ? super.pushAsync(request)
        : Caller.async(() -> push(request), late -> {});
  }

  /** A session belongs to no queue: whoever knows its id may number requests in it. */
  @Override
  public Result<OpenedSession> openSession() {
    return ask(Result.ok(Caller.currentGrant()), grant -> super.openSession());
  }

  @Override
  public Result<Popped> pop(PopRequest request) {
    Grant grant = Caller.currentGrant();
    return grant.isUnlimited()
        ? super.pop(request)
        : ask(
            requests.pop(grant, request), allowed -> requests.learned(allowed, super.pop(allowed)));
  }

  @Override
  public AsyncResult<Popped> popAsync(PopRequest request) {
    return Caller.currentGrant().isUnlimited()
        ? super.popAsync(request)
        : Caller.async(() -> pop(request), late -> request.giveBack(late, this));
  }

  @Override
  public Result<Settled> settle(SettleRequest request) {
    Grant grant = Caller.currentGrant();
    return grant.isUnlimited()
        ? super.settle(request)
        : ask(
            belongings.settles(grant, request.settles()),
            settles -> super.settle(new SettleRequest(settles, request.atomic())));
  }

  @Override
  public AsyncResult<Settled> settleAsync(SettleRequest request) {
    return Caller.currentGrant().isUnlimited()
        ? super.settleAsync(request)
        : Caller.async(() -> settle(request), late -> {});
  }

  @Override
  public Result<Extended> extend(ExtendRequest request) {
    Grant grant = Caller.currentGrant();
    return grant.isUnlimited()
        ? super.extend(request)
        : ask(
            belongings.lease(grant, request.leaseId()),
            lease -> super.extend(new ExtendRequest(lease, request.leaseMs(), request.waitMs())));
  }

  @Override
  public AsyncResult<Extended> extendAsync(ExtendRequest request) {
    return Caller.currentGrant().isUnlimited()
        ? super.extendAsync(request)
        : Caller.async(() -> extend(request), late -> {});
  }

  @Override
  public Result<LeaseInfo> lease(String leaseId) {
    Grant grant = Caller.currentGrant();
    return grant.isUnlimited()
        ? super.lease(leaseId)
        : ask(belongings.lease(grant, leaseId), super::lease);
  }

  @Override
  public Result<Page<HeldLease>> leases(LeasesRequest request) {
    return ofQueue(request.queue(), () -> super.leases(request));
  }

  @Override
  public Result<TaskInfo> start(StartRequest request) {
    Grant grant = Caller.currentGrant();
    return grant.isUnlimited()
        ? super.start(request)
        : ask(
            belongings.handle(grant, request.handle()),
            handle -> super.start(new StartRequest(handle, request.worker())));
  }

  @Override
  public Result<Committed> commit(CommitRequest request) {
    Grant grant = Caller.currentGrant();
    String own = GuardedRequests.ownRecord(request);
    if (own != null) {
      return Result.refused(
          ErrorCode.FORBIDDEN,
          "the record "
              + own
              + " is the server's own, as all under "
              + GuardedRequests.OWN_RECORDS
              + " are; choose another key");
    }
    return grant.isUnlimited()
        ? super.commit(request)
        : ask(requests.commit(grant, request), super::commit);
  }

  @Override
  public AsyncResult<Committed> commitAsync(CommitRequest request) {
    return Caller.currentGrant().isUnlimited() && GuardedRequests.ownRecord(request) == null
        ? super.commitAsync(request)
        : Caller.async(() -> commit(request), late -> {});
  }

  @Override
  public Result<Moved> cancel(CancelRequest request) {
    Grant grant = Caller.currentGrant();
    return grant.isUnlimited()
        ? super.cancel(request)
        : ask(
            belongings.message(grant, request.message()),
            message -> super.cancel(CancelRequest.of(message)));
  }

  @Override
  public Result<Moved> reschedule(RescheduleRequest request) {
    Grant grant = Caller.currentGrant();
    return grant.isUnlimited()
        ? super.reschedule(request)
        : ask(
            belongings.message(grant, request.message()),
            message -> super.reschedule(new RescheduleRequest(message, request.visibleAtMs())));
  }

  @Override
  public Result<QueueInfo> configure(ConfigureRequest request) {
    return ofQueue(request.queue(), () -> super.configure(request));
  }

  @Override
  public Result<Page<QueueInfo>> queues(QueuesRequest request) {
    Grant grant = Caller.currentGrant();
    if (grant.isUnlimited()) {
      return super.queues(request);
    }
    String prefix = Sieve.narrowed(request.prefix(), grant.names().commonPrefix());
    return prefix == null
        ? Result.ok(new Page<>(List.of(), null))
        : Sieve.page(
            request.after(),
            request.limit(),
            queue -> grant.covers(queue.name()),
            (after, limit) ->
                super.queues(
                    new QueuesRequest(prefix, request.namespace(), request.task(), after, limit)));
  }

  @Override
  public Result<Page<QueueLoad>> loads(LoadsRequest request) {
    Grant grant = Caller.currentGrant();
    return grant.isUnlimited()
        ? super.loads(request)
        : Sieve.page(
            request.after(),
            request.limit(),
            load -> grant.covers(load.queue()),
            (after, limit) -> super.loads(new LoadsRequest(after, limit)));
  }

  @Override
  public Result<QueueInfo> queue(String name) {
    return ofQueue(name, () -> super.queue(name));
  }

  @Override
  public Result<Page<PartitionInfo>> partitions(PartitionsRequest request) {
    return ofQueue(request.queue(), () -> super.partitions(request));
  }

  @Override
  public Result<Page<BrowsedMessage>> browse(BrowseRequest request) {
    return ofQueue(request.queue(), () -> super.browse(request));
  }

  @Override
  public Result<MessageDetail> message(MessageRef message) {
    Grant grant = Caller.currentGrant();
    return grant.isUnlimited()
        ? super.message(message)
        : ask(belongings.message(grant, message), super::message);
  }

  @Override
  public Result<DeadLetters> deadLetters(DeadLettersRequest request) {
    return ofQueue(request.filter().queue(), () -> super.deadLetters(request));
  }

  @Override
  public Result<DeadErrors> deadErrors(DeadErrorsRequest request) {
    return ofQueue(request.queue(), () -> super.deadErrors(request));
  }

  @Override
  public Result<Affected> requeue(RequeueRequest request) {
    return ofQueue(request.filter().queue(), () -> super.requeue(request));
  }

  @Override
  public Result<Affected> removeDeadLetters(DeadLetterFilter filter) {
    return ofQueue(filter.queue(), () -> super.removeDeadLetters(filter));
  }

  @Override
  public Result<Page<GroupInfo>> groups(GroupsRequest request) {
    Grant grant = Caller.currentGrant();
    String queue = request.queue();
    if (queue != null) {
      return ofQueue(queue, () -> super.groups(request));
    }
    return grant.isUnlimited()
        ? super.groups(request)
        : Sieve.page(
            request.after(),
            request.limit(),
            group -> grant.covers(group.queue()),
            (after, limit) -> super.groups(new GroupsRequest(null, request.group(), after, limit)));
  }

  @Override
  public Result<Sought> seek(SeekRequest request) {
    return ofQueue(request.queue(), () -> super.seek(request));
  }

  @Override
  public Result<StartFrom> subscribeFrom(SubscribeRequest request) {
    return ofQueue(request.queue(), () -> super.subscribeFrom(request));
  }

  @Override
  public Result<Affected> deleteGroup(String queue, String group) {
    return ofQueue(queue, () -> super.deleteGroup(queue, group));
  }

  @Override
  public Result<Affected> purge(PurgeRequest request) {
    return ofQueue(request.queue(), () -> super.purge(request));
  }

  @Override
  public Result<Affected> deleteQueue(String queue) {
    return ofQueue(queue, () -> super.deleteQueue(queue));
  }

  @Override
  public Result<QueueInfo> pause(String queue, boolean paused) {
    return ofQueue(queue, () -> super.pause(queue, paused));
  }

  /** A task outlives its message, so it says itself whose it is. */
  @Override
  public Result<TaskInfo> task(MessageRef message) {
    Grant grant = Caller.currentGrant();
    if (message instanceof MessageRef.ByName named && !grant.covers(named.queue())) {
      return forbidden(grant, "queue", named.queue());
    }
    Result<TaskInfo> found = super.task(message);
    return found.isOk() && !grant.covers(found.orThrow().queue())
        ? super.task(Belongings.NO_MESSAGE)
        : found;
  }

  @Override
  public Result<Page<TaskInfo>> tasks(TasksRequest request) {
    return ofQueue(request.queue(), () -> super.tasks(request));
  }

  @Override
  public Result<JournalPage> journal(JournalRequest request) {
    return named("journal", request.journal(), () -> super.journal(request));
  }

  @Override
  public Result<StoredRecord> record(RecordRequest request) {
    return named("record", request.key(), () -> super.record(request));
  }

  @Override
  public Result<Page<StoredRecord>> records(RecordsRequest request) {
    Grant grant = Caller.currentGrant();
    if (grant.isUnlimited()) {
      return super.records(request);
    }
    String prefix = Sieve.narrowed(request.prefix(), grant.names().commonPrefix());
    return prefix == null
        ? Result.ok(new Page<>(List.of(), null))
        : Sieve.page(
            request.after(),
            request.limit(),
            stored -> grant.covers(stored.key()),
            stored -> stored.value().length,
            (after, limit) -> super.records(new RecordsRequest(prefix, after, limit)));
  }

  @Override
  public Result<Stats> stats() {
    Grant grant = Caller.currentGrant();
    return grant.isUnlimited()
        ? super.stats()
        : Result.refused(
            ErrorCode.FORBIDDEN,
            "%s is for %s; this needs a token for all queues"
                .formatted(grant.told(), grant.names()));
  }

  /** Is whoever opened the broker to do: no request closes it. */
  @Override
  public void close() {
    throw new IllegalStateException("a request would close the broker");
  }
}
