package io.holdfast.server.access;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Page;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.RecordsRequest;
import io.holdfast.api.dead.DeadErrorsRequest;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.group.SubscribeRequest;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.LeasesRequest;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.RescheduleRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.LoadsRequest;
import io.holdfast.api.queue.PartitionsRequest;
import io.holdfast.api.queue.PurgeRequest;
import io.holdfast.api.queue.QueuesRequest;
import io.holdfast.api.task.StartRequest;
import io.holdfast.api.task.TaskInfo;
import io.holdfast.api.task.TasksRequest;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.VerbStep;
import io.holdfast.api.wire.Verbs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A broker that lets each caller touch only the queues, journals and records its token is for.
 *
 * <p>Invariant: it stands between the broker and all faces, and is the only place where names are
 * compared with patterns. It declares for every verb what a caller with a limited token is
 * answered, and does not start otherwise. What is named and not covered is refused, whether it is
 * there or not. What is not named but belongs to a queue that is not covered is as if it were
 * absent. The records that the server keeps for itself nobody changes.
 *
 * <p>Thread: any that answers a request, so that there is a {@link Caller}.
 */
public final class GuardedBroker extends VerbStep {
  /** Answers a verb to a caller with a limited token. */
  private interface Guard<I, O> {
    Result<O> ask(Grant grant, I request);
  }

  private final Map<Verb<?, ?>, Guard<?, ?>> guards = new HashMap<>();

  public GuardedBroker(Broker target) {
    super(target);
    Belongings belongings = new Belongings(target);
    guardLists();
    guardNames();
    guardBelongings(belongings, new GuardedRequests(belongings));
    guard(Verbs.OPEN_SESSION, (grant, nothing) -> target.openSession());
    guard(Verbs.TASK, this::task);
    guard(
        Verbs.STATS,
        (grant, nothing) ->
            Result.refused(
                ErrorCode.FORBIDDEN,
                "%s is for %s; this needs a token for all queues"
                    .formatted(grant.told(), grant.names())));
    List<Verb<?, ?>> open = Verbs.ALL.stream().filter(verb -> !guards.containsKey(verb)).toList();
    if (!open.isEmpty()) {
      throw new IllegalStateException("nothing guards " + open);
    }
  }

  private <I, O> void guard(Verb<I, O> verb, Guard<I, O> guard) {
    guards.put(verb, guard);
  }

  /** Refuses a request that names something that is not covered. */
  private <I> void named(Verb<I, ?> verb, String kind, Function<I, String> name) {
    narrowed(
        verb,
        (grant, request) -> {
          String asked = name.apply(request);
          return grant.covers(asked) ? Result.ok(request) : forbidden(grant, kind, asked);
        });
  }

  private <I> void ofQueue(Verb<I, ?> verb, Function<I, String> queue) {
    named(verb, "queue", queue);
  }

  /** Asks what the caller may ask of a request, if that is anything. */
  private <I, O> void narrowed(Verb<I, O> verb, BiFunction<Grant, I, Result<I>> narrow) {
    guard(
        verb,
        (grant, request) ->
            narrow.apply(grant, request).flatMap(allowed -> verb.ask(target(), allowed)));
  }

  static <T> Result<T> forbidden(Grant grant, String kind, String name) {
    return Result.refused(
        ErrorCode.FORBIDDEN,
        "%s is not for the %s %s; it is for %s".formatted(grant.told(), kind, name, grant.names()));
  }

  private void guardNames() {
    ofQueue(Verbs.LEASES, LeasesRequest::queue);
    ofQueue(Verbs.CONFIGURE, ConfigureRequest::queue);
    ofQueue(Verbs.QUEUE, Verbs.Named::name);
    ofQueue(Verbs.PARTITIONS, PartitionsRequest::queue);
    ofQueue(Verbs.BROWSE, BrowseRequest::queue);
    ofQueue(Verbs.DEAD_LETTERS, request -> request.filter().queue());
    ofQueue(Verbs.DEAD_ERRORS, DeadErrorsRequest::queue);
    ofQueue(Verbs.REQUEUE, request -> request.filter().queue());
    ofQueue(Verbs.REMOVE_DEAD_LETTERS, DeadLetterFilter::queue);
    ofQueue(Verbs.SEEK, SeekRequest::queue);
    ofQueue(Verbs.SUBSCRIBE_FROM, SubscribeRequest::queue);
    ofQueue(Verbs.DELETE_GROUP, Verbs.GroupOfQueue::queue);
    ofQueue(Verbs.PURGE, PurgeRequest::queue);
    ofQueue(Verbs.DELETE_QUEUE, Verbs.Named::name);
    ofQueue(Verbs.PAUSE, Verbs.Pause::queue);
    ofQueue(Verbs.TASKS, TasksRequest::queue);
    named(Verbs.JOURNAL, "journal", JournalRequest::journal);
    named(Verbs.RECORD, "record", RecordRequest::key);
  }

  private void guardBelongings(Belongings belongings, GuardedRequests requests) {
    narrowed(Verbs.PUSH, requests::push);
    narrowed(Verbs.COMMIT, requests::commit);
    guard(
        Verbs.POP,
        (grant, request) ->
            requests
                .pop(grant, request)
                .flatMap(allowed -> requests.learned(allowed, target().pop(allowed))));
    narrowed(
        Verbs.SETTLE,
        (grant, request) ->
            belongings
                .settles(grant, request.settles())
                .map(settles -> new SettleRequest(settles, request.atomic())));
    narrowed(
        Verbs.EXTEND,
        (grant, request) ->
            belongings
                .lease(grant, request.leaseId())
                .map(lease -> new ExtendRequest(lease, request.leaseMs(), request.waitMs())));
    narrowed(
        Verbs.LEASE, (grant, lease) -> belongings.lease(grant, lease.name()).map(Verbs.Named::new));
    narrowed(
        Verbs.START,
        (grant, request) ->
            belongings
                .handle(grant, request.handle())
                .map(handle -> new StartRequest(handle, request.worker())));
    narrowed(Verbs.MESSAGE, belongings::message);
    narrowed(
        Verbs.CANCEL,
        (grant, request) -> belongings.message(grant, request.message()).map(CancelRequest::of));
    narrowed(
        Verbs.RESCHEDULE,
        (grant, request) ->
            belongings
                .message(grant, request.message())
                .map(message -> new RescheduleRequest(message, request.visibleAtMs())));
  }

  private void guardLists() {
    guard(
        Verbs.QUEUES,
        (grant, request) ->
            below(
                grant,
                request.prefix(),
                prefix ->
                    Sieve.page(
                        request.after(),
                        request.limit(),
                        queue -> grant.covers(queue.name()),
                        any -> 0,
                        (after, limit) ->
                            target()
                                .queues(
                                    new QueuesRequest(
                                        prefix,
                                        request.namespace(),
                                        request.task(),
                                        after,
                                        limit)))));
    guard(
        Verbs.RECORDS,
        (grant, request) ->
            below(
                grant,
                request.prefix(),
                prefix ->
                    Sieve.page(
                        request.after(),
                        request.limit(),
                        stored -> grant.covers(stored.key()),
                        stored -> stored.value().length,
                        (after, limit) ->
                            target().records(new RecordsRequest(prefix, after, limit)))));
    guard(
        Verbs.LOADS,
        (grant, request) ->
            Sieve.page(
                request.after(),
                request.limit(),
                load -> grant.covers(load.queue()),
                any -> 0,
                (after, limit) -> target().loads(new LoadsRequest(after, limit))));
    guard(Verbs.GROUPS, this::groups);
  }

  /** Lists names that begin with a prefix, as far as any of them may be covered. */
  private static <T> Result<Page<T>> below(
      Grant grant, String prefix, Function<String, Result<Page<T>>> list) {
    String narrowed = Sieve.narrowed(prefix, grant.names().commonPrefix());
    return narrowed == null ? Result.ok(new Page<>(List.of(), null)) : list.apply(narrowed);
  }

  private Result<Page<GroupInfo>> groups(Grant grant, GroupsRequest request) {
    String queue = request.queue();
    if (queue != null) {
      return grant.covers(queue) ? target().groups(request) : forbidden(grant, "queue", queue);
    }
    return Sieve.page(
        request.after(),
        request.limit(),
        group -> grant.covers(group.queue()),
        any -> 0,
        (after, limit) -> target().groups(new GroupsRequest(null, request.group(), after, limit)));
  }

  /** A task outlives its message, so it says itself whose it is. */
  private Result<TaskInfo> task(Grant grant, MessageRef message) {
    if (message instanceof MessageRef.ByName named && !grant.covers(named.queue())) {
      return forbidden(grant, "queue", named.queue());
    }
    Result<TaskInfo> found = target().task(message);
    return found.isOk() && !grant.covers(found.orThrow().queue())
        ? target().task(Belongings.NO_MESSAGE)
        : found;
  }

  @Override
  protected <I, O> Result<O> ask(Verb<I, O> verb, I request) {
    Grant grant = Caller.currentGrant();
    String own = ownRecord(request);
    if (own != null) {
      return Result.refused(
          ErrorCode.FORBIDDEN,
          "the record "
              + own
              + " is the server's own, as all under "
              + GuardedRequests.OWN_RECORDS
              + " are; choose another key");
    }
    if (grant.isUnlimited()) {
      return super.ask(verb, request);
    }
    @SuppressWarnings("unchecked")
    Guard<I, O> guard = (Guard<I, O>) Objects.requireNonNull(guards.get(verb));
    return guard.ask(grant, request);
  }

  @Override
  protected <I, O> AsyncResult<O> askAsync(Verb<I, O> verb, I request) {
    return Caller.currentGrant().isUnlimited() && ownRecord(request) == null
        ? super.askAsync(verb, request)
        : Caller.async(() -> ask(verb, request), late -> giveBack(request, late));
  }

  private static @Nullable String ownRecord(Object request) {
    return request instanceof CommitRequest commit ? GuardedRequests.ownRecord(commit) : null;
  }

  /** Is whoever opened the broker to do: no request closes it. */
  @Override
  public void close() {
    throw new IllegalStateException("a request would close the broker");
  }
}
