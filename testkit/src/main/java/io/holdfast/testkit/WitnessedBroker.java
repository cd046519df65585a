package io.holdfast.testkit;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.group.Sought;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.Moved;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.api.message.RescheduleRequest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A broker that reports to a {@link HistoryChecker} what it is asked and what it answers.
 *
 * <p>A call that throws, or has an unknown outcome, is reported as unanswered: it may have
 * happened. Settles that name a message by its producer's name are not reported, so leave them out
 * of such a run.
 *
 * <p>Thread: any.
 */
public final class WitnessedBroker extends ForwardingBroker {
  private record Held(String group, UUID id) {}

  private final HistoryChecker checker;
  private final boolean repeats;
  private final Map<Handle, Held> held = new ConcurrentHashMap<>();
  private final Set<String> answeredRequests = ConcurrentHashMap.newKeySet();

  public WitnessedBroker(Broker target, HistoryChecker checker) {
    this(target, checker, false);
  }

  /**
   * @param repeats whether the target repeats calls by itself, as a client does whose server fails
   */
  public WitnessedBroker(Broker target, HistoryChecker checker, boolean repeats) {
    super(target);
    this.checker = checker;
    this.repeats = repeats;
  }

  @Override
  public Result<Pushed> push(PushRequest request) {
    HistoryChecker.Call call = checker.begin();
    Result<Pushed> result;
    try {
      result = super.push(request);
    } catch (RuntimeException e) {
      call.pushUnanswered(request.messages().size());
      throw e;
    }
    if (isUnknown(result)) {
      call.pushUnanswered(request.messages().size());
    } else if (result.isOk()) {
      call.pushed(result.orThrow().messages().stream().map(PushedMessage::id).toList());
    }
    return result;
  }

  @Override
  public Result<Popped> pop(PopRequest request) {
    HistoryChecker.Call call = checker.begin();
    Result<Popped> result;
    try {
      result = super.pop(request);
    } catch (RuntimeException e) {
      request.settles().forEach(settle -> report(call, settle, null));
      throw e;
    }
    if (isUnknown(result)) {
      request.settles().forEach(settle -> report(call, settle, null));
    } else if (result.isOk()) {
      Popped popped = result.orThrow();
      report(call, request.settles(), popped.settled());
      for (Delivery delivery : popped.messages()) {
        if (!delivery.leaseId().isEmpty()) {
          held.put(delivery.handle(), new Held(request.group(), delivery.message().id()));
        }
      }
      call.granted(request.group(), popped);
    }
    return result;
  }

  @Override
  public Result<Settled> settle(SettleRequest request) {
    HistoryChecker.Call call = checker.begin();
    Result<Settled> result;
    try {
      result = super.settle(request);
    } catch (RuntimeException e) {
      request.settles().forEach(settle -> report(call, settle, null));
      throw e;
    }
    if (isUnknown(result)) {
      request.settles().forEach(settle -> report(call, settle, null));
    } else if (result.isOk()) {
      report(call, request.settles(), result.orThrow().verdicts());
    }
    return result;
  }

  private static boolean isUnknown(Result<?> result) {
    return !result.isOk() && result.refusal().code() == ErrorCode.OUTCOME_UNKNOWN;
  }

  @Override
  public Result<Extended> extend(ExtendRequest request) {
    HistoryChecker.Call call = checker.begin();
    Result<Extended> result = super.extend(request);
    if (result.isOk()) {
      call.extended(request.leaseId(), result.orThrow().leaseUntilMs());
    }
    return result;
  }

  @Override
  public Result<Committed> commit(CommitRequest request) {
    HistoryChecker.Call call = checker.begin();
    Result<Committed> result;
    try {
      result = super.commit(request);
    } catch (RuntimeException e) {
      request.operations().forEach(operation -> reportUnanswered(call, operation));
      throw e;
    }
    if (isUnknown(result)) {
      request.operations().forEach(operation -> reportUnanswered(call, operation));
    }
    // A repeat answers what the first one did, so it must not count twice.
    boolean first =
        !request.isNamed()
            || answeredRequests.add(
                request.number() == null
                    ? String.valueOf(request.requestId())
                    : request.number().toString());
    if (result.isOk() && first) {
      List<Committed.Step> steps = result.orThrow().steps();
      for (int i = 0; i < steps.size(); i++) {
        report(call, request.operations().get(i), steps.get(i));
      }
    }
    return result;
  }

  @Override
  public Result<Moved> cancel(CancelRequest request) {
    return removing(request.message(), () -> super.cancel(request));
  }

  @Override
  public Result<Moved> reschedule(RescheduleRequest request) {
    return removing(request.message(), () -> super.reschedule(request));
  }

  private Result<Moved> removing(MessageRef message, Supplier<Result<Moved>> verb) {
    HistoryChecker.Call call = checker.begin();
    Result<Moved> result;
    try {
      result = verb.get();
    } catch (RuntimeException e) {
      removed(call, message);
      throw e;
    }
    if (result.isOk()) {
      call.removed(result.orThrow().id());
    }
    return result;
  }

  @Override
  public Result<Sought> seek(SeekRequest request) {
    HistoryChecker.Call call = checker.begin();
    try {
      return super.seek(request);
    } finally {
      call.replayed(request.group(), null);
    }
  }

  private void report(
      HistoryChecker.Call call, List<Settle> settles, List<SettleVerdict> verdicts) {
    for (int i = 0; i < verdicts.size(); i++) {
      report(call, settles.get(i), known(verdicts.get(i).status()));
    }
  }

  /**
   * A settle that was answered ALREADY_SETTLED may have been carried out by an earlier attempt of
   * the same call, of which only the target knows.
   */
  private SettleVerdict.@Nullable Status known(SettleVerdict.Status status) {
    return repeats && status == SettleVerdict.Status.ALREADY_SETTLED ? null : status;
  }

  private void report(
      HistoryChecker.Call call, Settle settle, SettleVerdict.@Nullable Status status) {
    switch (settle.target()) {
      case Settle.Target.Held target -> {
        Held what = held.get(target.handle());
        if (what != null) {
          report(call, what, target.handle().leaseId(), settle.rest(), status);
        }
      }
      case Settle.Target.WholeLease target -> {
        if (status == null) {
          call.settleLeaseUnanswered(target.leaseId());
        } else {
          call.settledLease(target.leaseId(), status);
        }
      }
      case Settle.Target.Unfenced target -> {
        if (target.message() instanceof MessageRef.ById ref) {
          report(call, new Held(target.group(), ref.id()), null, false, status);
        }
      }
      case Settle.Target.HeldByName ignored -> {}
    }
  }

  private static void report(
      HistoryChecker.Call call,
      Held what,
      @Nullable String leaseId,
      boolean rest,
      SettleVerdict.@Nullable Status status) {
    if (status == null) {
      call.settleUnanswered(what.group(), what.id(), leaseId);
      if (rest && leaseId != null) {
        call.settleLeaseUnanswered(leaseId);
      }
    } else if (rest && leaseId != null) {
      call.settledWithRest(what.group(), what.id(), leaseId, status);
    } else {
      call.settled(what.group(), what.id(), leaseId, status);
    }
  }

  private void report(HistoryChecker.Call call, Operation operation, Committed.Step step) {
    switch (operation) {
      case Operation.SettleMessage settle -> {
        if (step instanceof Committed.Step.MessageSettled settled) {
          report(call, settle.settle(), settled.verdict().status());
        }
      }
      case Operation.PushMessage ignored -> {
        if (step instanceof Committed.Step.MessagePushed pushed) {
          call.pushed(pushed.message().id());
        }
      }
      case Operation.CancelMessage cancel -> removed(call, cancel.message());
      case Operation.AppendJournal ignored -> {}
      case Operation.DeleteJournal ignored -> {}
      case Operation.PutRecord ignored -> {}
      case Operation.DeleteRecord ignored -> {}
      case Operation.RemoveDead remove -> removed(call, MessageRef.id(remove.messageId()));
    }
  }

  private void reportUnanswered(HistoryChecker.Call call, Operation operation) {
    switch (operation) {
      case Operation.SettleMessage settle -> report(call, settle.settle(), null);
      case Operation.PushMessage ignored -> call.pushUnanswered(1);
      case Operation.CancelMessage cancel -> removed(call, cancel.message());
      case Operation.AppendJournal ignored -> {}
      case Operation.DeleteJournal ignored -> {}
      case Operation.PutRecord ignored -> {}
      case Operation.DeleteRecord ignored -> {}
      case Operation.RemoveDead remove -> removed(call, MessageRef.id(remove.messageId()));
    }
  }

  private static void removed(HistoryChecker.Call call, MessageRef message) {
    if (message instanceof MessageRef.ById ref) {
      call.removed(ref.id());
    }
  }
}
