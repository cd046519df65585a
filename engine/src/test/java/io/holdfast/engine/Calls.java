package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.Stats;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.testkit.WaitLimits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Calls that go on beside a test, and words for what they are about. */
final class Calls {
  static final String QUEUE = "orders";

  private static final Duration PATIENCE = WaitLimits.EVENT;
  private static final Duration POLL = Duration.ofMillis(2);

  private Calls() {}

  static NewMessage message(String payload) {
    return NewMessage.to(QUEUE, payload.getBytes(StandardCharsets.UTF_8));
  }

  static PushRequest pushOf(String payload) {
    return PushRequest.of(message(payload));
  }

  static Pushed push(Broker broker, String payload) {
    return broker.push(pushOf(payload)).orThrow();
  }

  static PopRequest one() {
    return PopRequest.queue(QUEUE);
  }

  static PopRequest many() {
    return one().batch(1_000).partitions(100);
  }

  static List<String> payloads(Popped popped) {
    return popped.messages().stream()
        .map(delivery -> new String(delivery.message().payload(), StandardCharsets.UTF_8))
        .toList();
  }

  static Stats stats(Broker broker) {
    return broker.stats().orThrow();
  }

  /** Starts a call on a virtual thread of its own. */
  static <T> CompletableFuture<T> start(Supplier<T> call) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    run(call, answer);
    return answer;
  }

  /** Starts a call, and returns when it waits for its answer, or has it. */
  static <T> CompletableFuture<T> startAndSubmit(Supplier<T> call) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Thread thread = run(call, answer);
    eventually(
        () ->
            assertThat(thread.getState())
                .isIn(Thread.State.WAITING, Thread.State.TIMED_WAITING, Thread.State.TERMINATED));
    return answer;
  }

  private static <T> Thread run(Supplier<T> call, CompletableFuture<T> answer) {
    return Thread.startVirtualThread(
        () -> {
          try {
            answer.complete(call.get());
          } catch (Throwable e) {
            answer.completeExceptionally(e);
          }
        });
  }

  /** Starts a pop that waits, and returns when it is parked. */
  static CompletableFuture<Result<Popped>> park(Broker broker, PopRequest request) {
    int before = stats(broker).parkedPops();
    CompletableFuture<Result<Popped>> answer = start(() -> broker.pop(request));
    eventually(() -> assertThat(stats(broker).parkedPops()).isEqualTo(before + 1));
    return answer;
  }

  static <T> T answerOf(CompletableFuture<T> call) {
    try {
      return call.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("expected an answer, but: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("expected an answer, but the test was interrupted", e);
    }
  }

  static void eventually(Runnable assertion) {
    await().atMost(PATIENCE).pollInterval(POLL).untilAsserted(assertion::run);
  }

  static void assertRefused(Result<?> result, ErrorCode expected) {
    assertThat(result.isOk()).as("accepted: " + result).isFalse();
    assertThat(result.refusal().code()).isEqualTo(expected);
    assertThat(result.refusal().detail()).isNotBlank();
  }

  /** Closes a broker beside the test: closing must not wait for ever either. */
  static void closeInTime(Broker broker) {
    answerOf(
        start(
            () -> {
              broker.close();
              return true;
            }));
  }
}
