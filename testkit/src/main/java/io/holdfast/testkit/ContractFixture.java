package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.Stats;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLetters;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * A broker under test, its clock, and the words in which contracts speak of it.
 *
 * <p>What the passing of time brings about may take a broker a moment, so contracts wait for it
 * with {@link #popSoon} or {@link #eventually}; what must not happen is looked at at once.
 */
@Timeout(value = WaitLimits.TEST_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class ContractFixture {
  static final String QUEUE = "orders";
  static final String PARTITION = NewMessage.DEFAULT_PARTITION;
  static final String GROUP = PopRequest.QUEUE_MODE;

  /** The largest payload of a broker that is set up as usual. */
  static final int PAYLOAD_BYTES_MAX = 4 << 20;

  private static final Duration POLL = Duration.ofMillis(2);

  private final BrokerContract implementation;
  final ManualClock clock = new ManualClock();
  Broker broker;

  ContractFixture(BrokerContract implementation) {
    this.implementation = implementation;
  }

  @BeforeEach
  void open() {
    broker = implementation.start(clock);
  }

  @AfterEach
  void close() {
    broker.close();
  }

  /** Reopens the same data; a broker that cannot goes on, and must answer the same. */
  void restart() {
    if (implementation.canRestart()) {
      broker = implementation.restart();
    }
  }

  // Time

  long now() {
    return clock.wallMs();
  }

  void advanceMs(long ms) {
    clock.advance(Duration.ofMillis(ms));
  }

  void advanceSeconds(long seconds) {
    clock.advance(Duration.ofSeconds(seconds));
  }

  static void eventually(Runnable assertion) {
    await().pollInterval(POLL).untilAsserted(assertion::run);
  }

  void eventuallyNoLeases() {
    eventually(() -> assertThat(stats().leases()).isZero());
  }

  // Pushing

  static NewMessage message(String payload) {
    return message(QUEUE, payload);
  }

  static NewMessage message(String queue, String payload) {
    return NewMessage.to(queue, bytes(payload));
  }

  static NewMessage named(String transactionId) {
    return message(transactionId).transactionId(transactionId);
  }

  UUID push(String payload) {
    return push(message(payload)).id();
  }

  UUID push(String queue, String payload) {
    return push(message(queue, payload)).id();
  }

  PushedMessage push(NewMessage message) {
    return broker.push(PushRequest.of(message)).orThrow().messages().getFirst();
  }

  List<UUID> pushAll(String... payloads) {
    return pushAll(Stream.of(payloads).map(ContractFixture::message).toArray(NewMessage[]::new));
  }

  List<UUID> pushAll(NewMessage... messages) {
    return broker.push(PushRequest.of(messages)).orThrow().messages().stream()
        .map(PushedMessage::id)
        .toList();
  }

  // Popping

  static PopRequest many() {
    return PopRequest.queue(QUEUE).batch(100).partitions(100);
  }

  static PopRequest one() {
    return PopRequest.queue(QUEUE);
  }

  Popped pop(PopRequest request) {
    return broker.pop(request).orThrow();
  }

  /** Takes one message of the queue, which must be there. */
  Delivery popOne() {
    return only(pop(one()));
  }

  Delivery popOne(PopRequest request) {
    return only(pop(request));
  }

  /** Takes all that the queue gives to the group of no name. */
  Popped popAll() {
    return pop(many());
  }

  /** What a pop brings as soon as it brings something. */
  Popped popSoon(PopRequest request) {
    CompletableFuture<Popped> found = new CompletableFuture<>();
    eventually(
        () -> {
          Popped popped = pop(request);
          assertThat(popped.messages()).as("messages, but: " + popped.reason()).isNotEmpty();
          found.complete(popped);
        });
    return found.join();
  }

  Delivery popOneSoon() {
    return only(popSoon(one()));
  }

  void assertNothingToPop() {
    assertThat(payloads(popAll())).isEmpty();
  }

  private static Delivery only(Popped popped) {
    assertThat(popped.messages()).as("messages, but: " + popped.reason()).hasSize(1);
    return popped.messages().getFirst();
  }

  static List<String> payloads(Popped popped) {
    return popped.messages().stream().map(ContractFixture::payload).toList();
  }

  static String payload(Delivery delivery) {
    return text(delivery.message().payload());
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  // Settling

  SettleVerdict settle(Settle settle) {
    return broker.settle(SettleRequest.of(settle)).orThrow().verdicts().getFirst();
  }

  SettleVerdict ack(Delivery delivery) {
    return settle(Settle.ack(delivery.handle()));
  }

  SettleVerdict ackAll(Popped popped) {
    return settle(Settle.ackAll(popped.leaseId()));
  }

  SettleVerdict nack(Delivery delivery) {
    return nack(delivery, "failed");
  }

  SettleVerdict nack(Delivery delivery, String error) {
    return settle(Settle.nack(delivery.handle(), error));
  }

  SettleVerdict release(Delivery delivery) {
    return settle(Settle.release(delivery.handle()));
  }

  SettleVerdict kill(Delivery delivery, String error) {
    return settle(Settle.kill(delivery.handle(), error));
  }

  static void assertStatus(SettleVerdict verdict, Status expected) {
    assertThat(verdict.status()).isEqualTo(expected);
  }

  static void assertNotApplied(SettleVerdict verdict) {
    assertThat(verdict.applied()).as("applied: " + verdict).isFalse();
  }

  // Looking

  QueueInfo configure(QueueOption option, @Nullable Object value) {
    return configure(ConfigureRequest.queue(QUEUE).set(option, value));
  }

  QueueInfo configure(ConfigureRequest request) {
    return broker.configure(request).orThrow();
  }

  void makeShared() {
    configure(QueueOption.DELIVERY, "shared");
  }

  Stats stats() {
    return broker.stats().orThrow();
  }

  MessageDetail detail(UUID id) {
    return broker.message(MessageRef.id(id)).orThrow();
  }

  MessageDetail.GroupView view(UUID id, String group) {
    MessageDetail detail = detail(id);
    return detail.groups().stream()
        .filter(view -> view.group().equals(group))
        .findFirst()
        .orElseThrow(() -> new AssertionError("expected a view of " + group + ", but: " + detail));
  }

  MessageState state(UUID id) {
    return view(id, GROUP).state();
  }

  GroupInfo group(String group) {
    return broker.groups(GroupsRequest.ofQueue(QUEUE)).orThrow().items().stream()
        .filter(info -> info.group().equals(group))
        .findFirst()
        .orElseThrow(() -> new AssertionError("expected a group " + group));
  }

  DeadLetters deadLetters() {
    return deadLetters(DeadLetterFilter.queue(QUEUE));
  }

  DeadLetters deadLetters(DeadLetterFilter filter) {
    return broker.deadLetters(DeadLettersRequest.of(filter)).orThrow();
  }

  static void assertRefused(Result<?> result, ErrorCode expected) {
    assertThat(result.isOk()).as("accepted: " + result).isFalse();
    assertThat(result.refusal().code()).isEqualTo(expected);
    assertThat(result.refusal().detail()).isNotBlank();
  }

  // Waiting

  /** Starts a pop that waits, and returns when the broker has parked it. */
  CompletableFuture<Result<Popped>> waitingPop(PopRequest request) {
    int before = stats().parkedPops();
    CompletableFuture<Result<Popped>> answer = waiting(() -> broker.pop(request));
    eventually(() -> assertThat(stats().parkedPops()).isEqualTo(before + 1));
    return answer;
  }

  /** Starts a call that waits, and returns when its thread waits. */
  static <T> CompletableFuture<T> waiting(Supplier<T> call) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Thread thread =
        Thread.startVirtualThread(
            () -> {
              try {
                answer.complete(call.get());
              } catch (Throwable e) {
                answer.completeExceptionally(e);
              }
            });
    eventually(
        () ->
            assertThat(thread.getState())
                .isIn(Thread.State.WAITING, Thread.State.TIMED_WAITING, Thread.State.TERMINATED));
    return answer;
  }

  static <T> T answerOf(CompletableFuture<T> waiting) {
    try {
      return waiting.get(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("expected an answer, but: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("expected an answer, but the test was interrupted", e);
    }
  }
}
