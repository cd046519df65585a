package io.holdfast.server.access;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingAsyncBroker;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.group.Sought;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.group.SubscribeRequest;
import io.holdfast.api.lease.LeaseInfo;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.Settle.Outcome;
import io.holdfast.api.lease.Settle.Target;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.Moved;
import io.holdfast.api.message.RescheduleRequest;
import io.holdfast.api.queue.Affected;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.PurgeRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.server.http.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A broker that writes a line of {@link Audit} for each act that an operator would ask about: who
 * changed a queue or a group, and who took messages away.
 *
 * <p>Pushes, pops and settles are the traffic, not acts; but killing a message is one, and so is
 * settling a whole lease that somebody else popped. Flows cancel their own timers and work in
 * commits, which is traffic too.
 *
 * <p>Thread: any that answers a request.
 */
public final class AuditedBroker extends ForwardingAsyncBroker {
  /** Leases whose holders are remembered: up to twice as many. */
  private static final int LEASES_MAX = 20_000;

  private final Predicate<String> ofFlows;
  private final Remembered<String, String> holders = new Remembered<>(LEASES_MAX);

  /**
   * @param ofFlows whether a queue has the work of flows
   */
  public AuditedBroker(Broker target, Predicate<String> ofFlows) {
    super(target);
    this.ofFlows = ofFlows;
  }

  private static String outcome(Result<?> result) {
    return result.isOk() ? "OK" : result.refusal().code().name();
  }

  private static <T> Result<T> told(Audit audit, Result<T> result) {
    audit.result(outcome(result));
    return result;
  }

  private static Result<Affected> counted(Audit audit, Result<Affected> result) {
    if (result instanceof Result.Ok<Affected> ok) {
      audit.put("count", ok.value().count());
    }
    return told(audit, result);
  }

  @Override
  public Result<QueueInfo> configure(ConfigureRequest request) {
    Audit audit =
        Audit.of("configure")
            .put("queue", request.queue())
            .put("options", request.changes())
            .put("replace", request.replace());
    return told(audit, super.configure(request));
  }

  @Override
  public Result<Affected> purge(PurgeRequest request) {
    Audit audit =
        Audit.of("purge").put("queue", request.queue()).put("partition", request.partition());
    return counted(audit, super.purge(request));
  }

  @Override
  public Result<Affected> deleteQueue(String queue) {
    return counted(Audit.of("delete-queue").put("queue", queue), super.deleteQueue(queue));
  }

  @Override
  public Result<QueueInfo> pause(String queue, boolean paused) {
    return told(
        Audit.of(paused ? "pause" : "resume").put("queue", queue), super.pause(queue, paused));
  }

  @Override
  public Result<Affected> deleteGroup(String queue, String group) {
    return counted(
        Audit.of("delete-group").put("queue", queue).put("group", group),
        super.deleteGroup(queue, group));
  }

  @Override
  public Result<Sought> seek(SeekRequest request) {
    Audit audit =
        Audit.of("seek")
            .put("queue", request.queue())
            .put("group", request.group())
            .put("partition", request.partition())
            .put("to", to(request.to()));
    return told(audit, super.seek(request));
  }

  private static String to(SeekRequest.To to) {
    return switch (to) {
      case SeekRequest.To.Beginning beginning -> "beginning";
      case SeekRequest.To.End end -> "end";
      case SeekRequest.To.Time time -> Times.text(time.fromMs());
    };
  }

  @Override
  public Result<StartFrom> subscribeFrom(SubscribeRequest request) {
    return told(
        Audit.of("subscribe-from").put("queue", request.queue()).put("group", request.group()),
        super.subscribeFrom(request));
  }

  @Override
  public Result<Affected> requeue(RequeueRequest request) {
    if (request.dryRun()) {
      return super.requeue(request);
    }
    return counted(filtered("requeue", request.filter()), super.requeue(request));
  }

  @Override
  public Result<Affected> removeDeadLetters(DeadLetterFilter filter) {
    return counted(filtered("remove-dead-letters", filter), super.removeDeadLetters(filter));
  }

  private static Audit filtered(String act, DeadLetterFilter filter) {
    return Audit.of(act)
        .put("queue", filter.queue())
        .put("group", filter.group())
        .put("partition", filter.partition())
        .put("message", filter.messageId());
  }

  @Override
  public Result<Moved> cancel(CancelRequest request) {
    Audit audit = named("cancel", request.message());
    return told(audit, super.cancel(request));
  }

  @Override
  public Result<Moved> reschedule(RescheduleRequest request) {
    Audit audit =
        named("reschedule", request.message()).put("visibleAt", Times.text(request.visibleAtMs()));
    return told(audit, super.reschedule(request));
  }

  /** The message is looked up before: afterwards it may be gone. */
  private Audit named(String act, MessageRef message) {
    Audit audit = Audit.of(act);
    switch (message) {
      case MessageRef.ByName name ->
          audit
              .put("queue", name.queue())
              .put("partition", name.partition())
              .put("transactionId", name.transactionId());
      case MessageRef.ById byId -> audit.put("queue", queueOf(byId)).put("message", byId.id());
      case MessageRef.InPartition in ->
          audit
              .put("queue", queueOf(in))
              .put("partitionId", in.partition())
              .put("transactionId", in.transactionId());
    }
    return audit;
  }

  private @Nullable String queueOf(MessageRef message) {
    return message instanceof MessageRef.ByName named
        ? named.queue()
        : super.message(message) instanceof Result.Ok<MessageDetail> ok
            ? ok.value().message().queue()
            : null;
  }

  @Override
  public Result<Settled> settle(SettleRequest request) {
    List<Audit> acts = acts(request.settles());
    Result<Settled> result = super.settle(request);
    return told(acts, result, result.isOk() ? result.orThrow().verdicts() : List.of());
  }

  @Override
  public AsyncResult<Settled> settleAsync(SettleRequest request) {
    return hasActs(request.settles())
        ? Caller.async(() -> settle(request), late -> {})
        : super.settleAsync(request);
  }

  @Override
  public Result<Popped> pop(PopRequest request) {
    List<Audit> acts = acts(request.settles());
    Result<Popped> result = super.pop(request);
    holds(Caller.currentName(), result);
    return told(acts, result, result.isOk() ? result.orThrow().settled() : List.of());
  }

  @Override
  public AsyncResult<Popped> popAsync(PopRequest request) {
    if (hasActs(request.settles())) {
      return Caller.async(() -> pop(request), late -> request.giveBack(late, this));
    }
    String caller = Caller.currentName();
    return super.popAsync(request).peek(result -> holds(caller, result));
  }

  private void holds(String caller, Result<Popped> result) {
    if (result instanceof Result.Ok<Popped> ok && !ok.value().leaseId().isEmpty()) {
      holders.put(ok.value().leaseId(), caller);
    }
  }

  /** Writes the lines of acts that settles contain. */
  private static <T> Result<T> told(
      List<Audit> acts, Result<T> result, List<SettleVerdict> verdicts) {
    boolean none = !verdicts.isEmpty() && verdicts.stream().noneMatch(SettleVerdict::applied);
    String outcome = none ? verdicts.getFirst().code().name() : outcome(result);
    acts.forEach(act -> act.result(outcome));
    return result;
  }

  /** The lines of acts that settles contain: kills, and the end of other callers' leases. */
  private List<Audit> acts(List<Settle> settles) {
    return Stream.of(kills(settles), foreign(settles)).filter(Objects::nonNull).toList();
  }

  /** Whether settles contain an act: only then something has to be looked up for its line. */
  private boolean hasActs(List<Settle> settles) {
    if (settles.isEmpty()) {
      return false;
    }
    String caller = Caller.currentName();
    return settles.stream().anyMatch(settle -> isAct(settle, caller));
  }

  private boolean isAct(Settle settle, String caller) {
    return settle.outcome() == Outcome.KILL || isForeign(settle, caller);
  }

  private boolean isForeign(Settle settle, String caller) {
    return settle.target() instanceof Target.WholeLease whole
        && !caller.equals(holders.get(whole.leaseId()));
  }

  /** One line for all whole leases that others popped, or that nobody is known to have popped. */
  private @Nullable Audit foreign(List<Settle> settles) {
    String caller = Caller.currentName();
    Settle first = null;
    int count = 0;
    for (Settle settle : settles) {
      if (isForeign(settle, caller)) {
        first = first == null ? settle : first;
        count++;
      }
    }
    return first == null || !(first.target() instanceof Target.WholeLease whole)
        ? null
        : Audit.of("settle-lease")
            .put("queue", queueOfLease(whole.leaseId()))
            .put("lease", whole.leaseId())
            .put("heldBy", holders.get(whole.leaseId()))
            .put("outcome", first.outcome())
            .put("settles", count);
  }

  @Override
  public Result<Committed> commit(CommitRequest request) {
    List<Settle> settles = new ArrayList<>();
    for (Operation operation : request.operations()) {
      if (operation instanceof Operation.SettleMessage settle) {
        settles.add(settle.settle());
      }
    }
    List<Audit> acts = new ArrayList<>(acts(settles));
    Stream.of(cancels(request), removals(request)).filter(Objects::nonNull).forEach(acts::add);
    return told(acts, super.commit(request), List.of());
  }

  @Override
  public AsyncResult<Committed> commitAsync(CommitRequest request) {
    for (Operation operation : request.operations()) {
      boolean act =
          switch (operation) {
            case Operation.SettleMessage settle -> isAct(settle.settle(), Caller.currentName());
            case Operation.CancelMessage cancel -> !isOfFlows(cancel.message());
            case Operation.RemoveDead remove -> true;
            default -> false;
          };
      if (act) {
        return Caller.async(() -> commit(request), late -> {});
      }
    }
    return super.commitAsync(request);
  }

  private boolean isOfFlows(MessageRef message) {
    return message instanceof MessageRef.ByName name && ofFlows.test(name.queue());
  }

  /**
   * One line for all messages that a commit cancels, but those of flows; null if there are none.
   */
  private @Nullable Audit cancels(CommitRequest request) {
    List<MessageRef> cancelled = new ArrayList<>();
    for (Operation operation : request.operations()) {
      if (operation instanceof Operation.CancelMessage cancel && !isOfFlows(cancel.message())) {
        cancelled.add(cancel.message());
      }
    }
    return cancelled.isEmpty()
        ? null
        : named("cancel", cancelled.getFirst()).put("operations", cancelled.size());
  }

  /** One line for all dead letters that a commit removes; null if it removes none. */
  private static @Nullable Audit removals(CommitRequest request) {
    List<Operation.RemoveDead> removed = new ArrayList<>();
    for (Operation operation : request.operations()) {
      if (operation instanceof Operation.RemoveDead remove) {
        removed.add(remove);
      }
    }
    return removed.isEmpty()
        ? null
        : Audit.of("remove-dead-letters")
            .put("queue", removed.getFirst().queue())
            .put("group", removed.getFirst().group())
            .put("message", removed.getFirst().messageId())
            .put("operations", removed.size());
  }

  /** One line for all that a request kills; null if it kills nothing. */
  private @Nullable Audit kills(List<Settle> settles) {
    Settle first = null;
    int count = 0;
    for (Settle settle : settles) {
      if (settle.outcome() == Outcome.KILL) {
        first = first == null ? settle : first;
        count++;
      }
    }
    return first == null
        ? null
        : Audit.of("kill").put("queue", queueOf(first)).put("settles", count);
  }

  private @Nullable String queueOf(Settle settle) {
    return switch (settle.target()) {
      case Target.Held held -> queueOfLease(held.handle().leaseId());
      case Target.WholeLease whole -> queueOfLease(whole.leaseId());
      case Target.HeldByName held -> queueOfLease(held.leaseId());
      case Target.Unfenced unfenced -> queueOf(unfenced.message());
    };
  }

  private @Nullable String queueOfLease(String leaseId) {
    return super.lease(leaseId) instanceof Result.Ok<LeaseInfo> ok ? ok.value().queue() : null;
  }
}
