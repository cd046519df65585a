package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Many callers that push, pop and settle until they are refused, and what was acknowledged to them.
 */
final class Load {
  private static final int CALLERS = 48;

  private final Broker broker;
  private final BooleanSupplier failed;
  private final Set<UUID> pushed = ConcurrentHashMap.newKeySet();
  private final Set<UUID> acked = ConcurrentHashMap.newKeySet();
  private final Set<ErrorCode> refusals = ConcurrentHashMap.newKeySet();
  private final Set<String> late = ConcurrentHashMap.newKeySet();
  private final List<CompletableFuture<Boolean>> callers = new ArrayList<>();

  /**
   * @param failed whether the store has failed already: what is asked later must not be accepted
   */
  Load(Broker broker, BooleanSupplier failed) {
    this.broker = broker;
    this.failed = failed;
  }

  void start() {
    for (int i = 0; i < CALLERS; i++) {
      String partition = "p" + i % 7;
      int kind = i % 3;
      callers.add(
          Calls.start(
              () -> {
                boolean more = true;
                for (int n = 0; more; n++) {
                  more = kind == 0 ? push(partition, n) : consume(kind == 1 ? 0 : 60_000);
                }
                return true;
              }));
    }
  }

  private boolean push(String partition, int n) {
    NewMessage message = Calls.message("m").partition(partition);
    boolean named = n % 2 == 0;
    Pushed answer =
        ask(
            "push",
            () ->
                broker.push(
                    PushRequest.of(
                        named ? message.transactionId(UUID.randomUUID().toString()) : message)));
    if (answer != null) {
      answer.messages().forEach(one -> pushed.add(one.id()));
    }
    return answer != null;
  }

  private boolean consume(long waitMs) {
    PopRequest request = Calls.one().batch(10).waitMs(waitMs);
    Popped popped = ask("pop", () -> broker.pop(request));
    if (popped == null || popped.isEmpty()) {
      return popped != null;
    }
    Delivery first = popped.messages().getFirst();
    Settled one = settle(Settle.ack(first.handle()));
    if (one == null) {
      return false;
    }
    acked.add(first.message().id());
    Settled rest = settle(Settle.ackAll(popped.leaseId()));
    if (rest != null && rest.allApplied()) {
      popped.messages().forEach(delivery -> acked.add(delivery.message().id()));
    }
    return rest != null;
  }

  private @Nullable Settled settle(Settle settle) {
    Settled settled = ask("settle", () -> broker.settle(SettleRequest.of(settle)));
    if (settled != null) {
      SettleVerdict verdict = settled.verdicts().getFirst();
      assertThat(verdict.status())
          .isIn(SettleVerdict.Status.ACKED, SettleVerdict.Status.ALREADY_SETTLED);
    }
    return settled;
  }

  private <T> @Nullable T ask(String verb, java.util.function.Supplier<Result<T>> call) {
    boolean before = failed.getAsBoolean();
    Result<T> result = call.get();
    if (!result.isOk()) {
      refusals.add(result.refusal().code());
      return null;
    }
    if (before) {
      late.add(verb);
    }
    return result.orThrow();
  }

  int settled() {
    return acked.size();
  }

  /** Waits until every caller was refused. */
  void finish() {
    callers.forEach(Calls::answerOf);
  }

  void assertAllStopped() {
    assertThat(refusals).containsExactly(ErrorCode.SHARD_STOPPED);
    assertThat(late).as("accepted after the failure").isEmpty();
  }

  /** Everything acknowledged is there. */
  void assertKeptBy(Broker recovered) {
    assertThat(pushed).isNotEmpty();
    assertThat(acked).isNotEmpty();
    for (UUID id : pushed) {
      Result<MessageDetail> found = recovered.message(MessageRef.id(id));
      assertThat(found.isOk()).as("message %s: %s", id, found).isTrue();
    }
    for (UUID id : acked) {
      MessageDetail detail = recovered.message(MessageRef.id(id)).orThrow();
      assertThat(detail.groups())
          .extracting(MessageDetail.GroupView::state)
          .containsExactly(MessageState.SETTLED);
    }
  }
}
