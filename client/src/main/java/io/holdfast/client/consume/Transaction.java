package io.holdfast.client.consume;

import io.holdfast.api.Broker;
import io.holdfast.api.Refusal;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.message.NewMessage;
import io.holdfast.client.NumberedRequest;
import io.holdfast.client.RequestSlots;
import io.holdfast.client.produce.Outgoing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Settles and pushes that happen all or not at all, even across queues.
 *
 * <p>A commit whose answer got lost may be repeated on the same transaction: all tries carry one
 * number, and it takes effect once.
 *
 * <p>Thread: one.
 */
public final class Transaction {
  /** An operation, the message it settles if it does, and what to call it when it fails. */
  private record Step(Operation operation, @Nullable HeldMessage settles, String what) {}

  private final Broker broker;
  private final NumberedRequest once;
  private @Nullable Committed committed;
  private final List<Step> steps = new ArrayList<>();
  private @Nullable String queue;
  private String partition = NewMessage.DEFAULT_PARTITION;

  public Transaction(Broker broker, RequestSlots slots) {
    this.broker = broker;
    this.once = new NumberedRequest(slots);
  }

  public Transaction ack(HeldMessage message) {
    return settle("ack", message, Settle.ack(message.handle()));
  }

  public Transaction nack(HeldMessage message, @Nullable String error) {
    return settle("nack", message, Settle.nack(message.handle(), error));
  }

  public Transaction nack(HeldMessage message, @Nullable String error, Duration delay) {
    Settle nack = Settle.nack(message.handle(), error).delayMs(delay.toMillis());
    return settle("nack", message, nack);
  }

  public Transaction release(HeldMessage message) {
    return settle("release", message, Settle.release(message.handle()));
  }

  public Transaction kill(HeldMessage message, @Nullable String error) {
    return settle("kill", message, Settle.kill(message.handle(), error));
  }

  private Transaction settle(String verb, HeldMessage message, Settle settle) {
    steps.add(
        new Step(
            new Operation.SettleMessage(settle), message, verb + " of message " + message.id()));
    return this;
  }

  /** The pushes that follow go to this queue, and to its default partition. */
  public Transaction queue(String name) {
    queue = name;
    partition = NewMessage.DEFAULT_PARTITION;
    return this;
  }

  /** The pushes that follow go to this partition. */
  public Transaction partition(String name) {
    partition = name;
    return this;
  }

  public Transaction push(String text) {
    return push(Outgoing.text(text));
  }

  /**
   * Pushes to the queue and partition that were named last. A message whose transactionId is there
   * already fails the whole.
   */
  public Transaction push(Outgoing message) {
    if (queue == null) {
      throw new IllegalStateException("expected queue(...) before push(...), but there was none");
    }
    steps.add(
        new Step(
            new Operation.PushMessage(message.to(queue, partition), false),
            null,
            "push to " + queue + "/" + partition));
    return this;
  }

  public Transaction push(List<Outgoing> messages) {
    messages.forEach(this::push);
    return this;
  }

  /**
   * Does it all.
   *
   * @throws RefusedException naming the operation that failed: nothing has happened
   * @throws io.holdfast.api.UnreachableException if the broker cannot be asked; commit again
   */
  public Committed commit() {
    if (steps.isEmpty()) {
      throw new IllegalStateException("expected something to commit, but there is nothing");
    }
    if (committed != null) {
      return committed;
    }
    List<Operation> operations = steps.stream().map(Step::operation).toList();
    forEachSettled((message, settle) -> message.beginSettle());
    Result<Committed> result;
    try {
      CommitRequest request = new CommitRequest(operations, null);
      result = once.send(number -> broker.commit(request.number(number)));
      once.end();
      if (!result.isOk()) {
        throw new RefusedException(named(result.refusal()));
      }
    } catch (RuntimeException failed) {
      forEachSettled((message, settle) -> message.settleFailed(settle, failed));
      throw failed;
    }
    Committed done = result.orThrow();
    committed = done;
    for (int i = 0; i < steps.size(); i++) {
      settled(steps.get(i), done.steps().get(i));
    }
    return done;
  }

  private void forEachSettled(BiConsumer<HeldMessage, Settle> action) {
    for (Step step : steps) {
      if (step.settles() != null && step.operation() instanceof Operation.SettleMessage settle) {
        action.accept(step.settles(), settle.settle());
      }
    }
  }

  private static void settled(Step step, Committed.Step outcome) {
    if (step.settles() != null
        && step.operation() instanceof Operation.SettleMessage settle
        && outcome instanceof Committed.Step.MessageSettled settled) {
      step.settles().settledWith(settle.settle(), settled.verdict());
    }
  }

  private Refusal named(Refusal refusal) {
    int index = refusal.operation();
    return index < 0 || index >= steps.size()
        ? refusal
        : new Refusal(
            refusal.code(),
            "operation " + index + ", " + steps.get(index).what() + ": " + refusal.detail(),
            index);
  }
}
