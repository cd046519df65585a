package io.holdfast.server.access;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.group.SeekRequest;
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
import io.holdfast.api.message.RescheduleRequest;
import io.holdfast.api.queue.Affected;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.PurgeRequest;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.VerbStep;
import io.holdfast.api.wire.Verbs;
import io.holdfast.json.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
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
public final class AuditedBroker extends VerbStep {
  /** Leases whose holders are remembered. */
  private static final int LEASES_MAX = 40_000;

  private final Predicate<String> ofFlows;
  private final Remembered<String, String> holders = new Remembered<>(LEASES_MAX);

  /**
   * @param ofFlows whether a queue has the work of flows
   */
  public AuditedBroker(Broker target, Predicate<String> ofFlows) {
    super(target);
    this.ofFlows = ofFlows;
  }

  @Override
  protected <I, O> Result<O> ask(Verb<I, O> verb, I request) {
    // What they name is looked up before: afterwards it may be gone.
    List<Audit> lines = acts(verb, request).stream().map(Supplier::get).toList();
    Result<O> result = super.ask(verb, request);
    String outcome = outcome(result);
    if (result instanceof Result.Ok<O> ok) {
      holds(Caller.currentName(), ok.value());
      if (ok.value() instanceof Affected affected) {
        lines.forEach(line -> line.put("count", affected.count()));
      }
    }
    lines.forEach(line -> line.result(outcome));
    return result;
  }

  @Override
  protected <I, O> AsyncResult<O> askAsync(Verb<I, O> verb, I request) {
    if (!acts(verb, request).isEmpty()) {
      return Caller.async(() -> ask(verb, request), late -> giveBack(request, late));
    }
    AsyncResult<O> asked = super.askAsync(verb, request);
    if (verb != Verbs.POP) {
      return asked;
    }
    String caller = Caller.currentName();
    return asked.peek(
        result -> {
          if (result instanceof Result.Ok<O> ok) {
            holds(caller, ok.value());
          }
        });
  }

  /** How a request ended; if it only settles, and settled nothing, with the first reason. */
  private static String outcome(Result<?> result) {
    if (!(result instanceof Result.Ok<?> ok)) {
      return result.refusal().code().name();
    }
    List<SettleVerdict> verdicts =
        switch (ok.value()) {
          case Settled settled -> settled.verdicts();
          case Popped popped -> popped.settled();
          default -> List.of();
        };
    boolean none = !verdicts.isEmpty() && verdicts.stream().noneMatch(SettleVerdict::applied);
    return none ? verdicts.getFirst().code().name() : "OK";
  }

  private void holds(String caller, Object value) {
    if (value instanceof Popped popped && !popped.leaseId().isEmpty()) {
      holders.put(popped.leaseId(), caller);
    }
  }

  /** The acts of a request; of each kind one line, in which the first is named. */
  private List<Supplier<Audit>> acts(Verb<?, ?> verb, Object request) {
    List<Settle> settles = settles(request);
    List<Operation> operations =
        request instanceof CommitRequest commit ? commit.operations() : List.of();
    List<Settle> kills = those(settles, settle -> settle.outcome() == Outcome.KILL);
    List<Settle> foreign = those(settles, this::isForeign);
    List<Operation> cancels = those(operations, this::isCancel);
    List<Operation> removals = those(operations, Operation.RemoveDead.class::isInstance);
    List<Supplier<Audit>> acts = new ArrayList<>(0);
    if (!kills.isEmpty()) {
      acts.add(
          () ->
              Audit.of("kill")
                  .put("queue", queueOf(kills.getFirst()))
                  .put("settles", kills.size()));
    }
    if (!foreign.isEmpty()) {
      acts.add(() -> settled(foreign.getFirst(), foreign.size()));
    }
    if (!cancels.isEmpty()) {
      MessageRef first = ((Operation.CancelMessage) cancels.getFirst()).message();
      acts.add(() -> named("cancel", first).put("operations", cancels.size()));
    }
    if (!removals.isEmpty()) {
      Operation.RemoveDead first = (Operation.RemoveDead) removals.getFirst();
      acts.add(
          () ->
              Audit.of("remove-dead-letters")
                  .put("queue", first.queue())
                  .put("group", first.group())
                  .put("message", first.messageId())
                  .put("operations", removals.size()));
    }
    Audit act = verb.isAsync() ? null : act(verb, request);
    if (act != null) {
      acts.add(() -> act);
    }
    return acts;
  }

  /** Those of a list that something is true of. */
  private static <T> List<T> those(List<T> all, Predicate<T> test) {
    List<T> found = List.of();
    for (T one : all) {
      if (test.test(one)) {
        found = found.isEmpty() ? new ArrayList<>() : found;
        found.add(one);
      }
    }
    return found;
  }

  private static List<Settle> settles(Object request) {
    return switch (request) {
      case SettleRequest settle -> settle.settles();
      case PopRequest pop -> pop.settles();
      case CommitRequest commit ->
          commit.operations().stream()
              .filter(Operation.SettleMessage.class::isInstance)
              .map(operation -> ((Operation.SettleMessage) operation).settle())
              .toList();
      default -> List.of();
    };
  }

  /** The line of a verb that is an act by itself; null if it is none. */
  private @Nullable Audit act(Verb<?, ?> verb, Object request) {
    return switch (request) {
      case ConfigureRequest one ->
          Audit.of("configure")
              .put("queue", one.queue())
              .put("options", one.changes())
              .put("replace", one.replace());
      case PurgeRequest one ->
          Audit.of("purge").put("queue", one.queue()).put("partition", one.partition());
      case Verbs.Named queue when verb == Verbs.DELETE_QUEUE ->
          Audit.of("delete-queue").put("queue", queue.name());
      case Verbs.Pause one -> Audit.of(one.paused() ? "pause" : "resume").put("queue", one.queue());
      case Verbs.GroupOfQueue one ->
          Audit.of("delete-group").put("queue", one.queue()).put("group", one.group());
      case SeekRequest one ->
          Audit.of("seek")
              .put("queue", one.queue())
              .put("group", one.group())
              .put("partition", one.partition())
              .put("to", to(one.to()));
      case SubscribeRequest one ->
          Audit.of("subscribe-from").put("queue", one.queue()).put("group", one.group());
      case RequeueRequest one when !one.dryRun() -> filtered("requeue", one.filter());
      case DeadLetterFilter filter -> filtered("remove-dead-letters", filter);
      case CancelRequest one -> named("cancel", one.message());
      case RescheduleRequest one ->
          named("reschedule", one.message()).put("visibleAt", Times.text(one.visibleAtMs()));
      default -> null;
    };
  }

  private static String to(SeekRequest.To to) {
    return switch (to) {
      case SeekRequest.To.Beginning beginning -> "beginning";
      case SeekRequest.To.End end -> "end";
      case SeekRequest.To.Time time -> Times.text(time.fromMs());
    };
  }

  private static Audit filtered(String act, DeadLetterFilter filter) {
    return Audit.of(act)
        .put("queue", filter.queue())
        .put("group", filter.group())
        .put("partition", filter.partition())
        .put("message", filter.messageId());
  }

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
        : target().message(message) instanceof Result.Ok<MessageDetail> ok
            ? ok.value().message().queue()
            : null;
  }

  /** Whether it settles a whole lease that somebody else popped, or nobody is known to have. */
  private boolean isForeign(Settle settle) {
    return settle.target() instanceof Target.WholeLease whole
        && !Caller.currentName().equals(holders.get(whole.leaseId()));
  }

  private Audit settled(Settle foreign, int settles) {
    String lease = ((Target.WholeLease) foreign.target()).leaseId();
    return Audit.of("settle-lease")
        .put("queue", queueOfLease(lease))
        .put("lease", lease)
        .put("heldBy", holders.get(lease))
        .put("outcome", foreign.outcome())
        .put("settles", settles);
  }

  private boolean isCancel(Operation operation) {
    return operation instanceof Operation.CancelMessage cancel
        && !(cancel.message() instanceof MessageRef.ByName name && ofFlows.test(name.queue()));
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
    return target().lease(leaseId) instanceof Result.Ok<LeaseInfo> ok ? ok.value().queue() : null;
  }
}
