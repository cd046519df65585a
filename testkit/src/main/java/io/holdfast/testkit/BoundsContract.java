package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.dead.DeadLetter;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Popped.Reason;
import io.holdfast.api.message.Attempt;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The contract of bounds: sizes, ages, windows and priorities that work, and refusals that say so.
 */
abstract class BoundsContract extends ContractFixture {
  private static final int MIB = 1 << 20;

  BoundsContract(BrokerContract implementation) {
    super(implementation);
  }

  @Test
  void shouldRefuseMoreThanAQueueMayHold() {
    // given
    configure(QueueOption.MAX_SIZE, 2);
    pushAll("a", "b");
    // then
    assertRefused(broker.push(PushRequest.of(message("c"))), ErrorCode.FULL);
    assertThat(ErrorCode.FULL.retryable()).isTrue();
    // when
    ack(popOne());
    // then
    push("c");
    assertThat(payloads(popAll())).containsExactly("b", "c");
  }

  @Test
  void shouldCountAllPartitionsOfAFullQueue() {
    // given
    configure(QueueOption.MAX_SIZE, 2);
    pushAll(message("a").partition("p1"), message("b").partition("p2"));
    // then
    assertRefused(broker.push(PushRequest.of(message("c").partition("p3"))), ErrorCode.FULL);
  }

  @Test
  void shouldCountWhatIsInFlightOrCameBack() {
    // given
    configure(QueueOption.MAX_SIZE, 1);
    push("a");
    Delivery held = popOne();
    // then
    assertRefused(broker.push(PushRequest.of(message("b"))), ErrorCode.FULL);
    nack(held);
    assertRefused(broker.push(PushRequest.of(message("b"))), ErrorCode.FULL);
  }

  @Test
  void shouldMeasureAQueueByItsSlowestGroup() {
    // given
    configure(QueueOption.MAX_SIZE, 2);
    pop(one().group("slow"));
    pushAll("a", "b");
    ackAll(pop(many().group("fast")));
    // then
    assertRefused(broker.push(PushRequest.of(message("c"))), ErrorCode.FULL);
    // when
    ack(popOne(one().group("slow")));
    // then
    push("c");
  }

  @Test
  void shouldStoreNothingOfAPushThatDoesNotFit() {
    // given
    configure(QueueOption.MAX_SIZE, 2);
    push("a");
    // then
    assertRefused(
        broker.push(PushRequest.of(message("b"), message("elsewhere", "x"), message("c"))),
        ErrorCode.FULL);
    assertThat(payloads(popAll())).containsExactly("a");
    assertThat(pop(PopRequest.queue("elsewhere")).messages()).isEmpty();
  }

  @Test
  void shouldRefuseAPayloadThatIsTooLarge() {
    // when
    push("x".repeat(PAYLOAD_BYTES_MAX));
    // then
    assertRefused(
        broker.push(PushRequest.of(message("ok"), message("x".repeat(PAYLOAD_BYTES_MAX + 1)))),
        ErrorCode.TOO_LARGE);
    assertThat(popAll().messages()).hasSize(1);
  }

  @Test
  void shouldRefuseARequestThatIsTooLarge() {
    // given
    NewMessage large = message("x".repeat(MIB));
    // then
    assertRefused(
        broker.push(PushRequest.of(Stream.generate(() -> large).limit(17).toList())),
        ErrorCode.TOO_LARGE);
    assertNothingToPop();
  }

  @Test
  void shouldNotDeliverWhatWaitedLongerThanItsTtl() {
    // given
    configure(QueueOption.TTL, 10);
    push("old");
    advanceSeconds(6);
    push("young");
    // when
    advanceSeconds(5);
    // then
    assertThat(payloads(popAll())).containsExactly("young");
    assertThat(deadLetters().total()).isZero();
  }

  @Test
  void shouldDeliverWithinTheTtl() {
    // given
    configure(QueueOption.TTL, 10);
    push("a");
    // when
    advanceSeconds(9);
    // then
    assertThat(payload(popOne())).isEqualTo("a");
  }

  @Test
  void shouldFreeWhatPassedItsTtl() {
    // given
    configure(QueueOption.TTL, 10);
    push("a");
    // when
    advanceSeconds(11);
    // then
    eventually(() -> assertThat(broker.queue(QUEUE).orThrow().counts().waiting()).isZero());
  }

  @Test
  void shouldBuryWhatWaitedTooLong() {
    // given
    configure(QueueOption.MAX_WAIT_TIME, 10);
    assertNothingToPop();
    UUID id = push("a");
    // when
    advanceSeconds(11);
    // then
    assertNothingToPop();
    eventually(() -> assertThat(deadLetters().total()).isEqualTo(1));
    DeadLetter dead = deadLetters().items().getFirst();
    assertThat(dead.message().id()).isEqualTo(id);
    assertThat(dead.attempts())
        .extracting(Attempt::cause)
        .containsExactly(Attempt.Cause.WAITED_TOO_LONG);
  }

  @Test
  void shouldDropWhatWaitedTooLongWhereThereAreNoDeadLetters() {
    // given
    configure(
        ConfigureRequest.queue(QUEUE)
            .set(QueueOption.MAX_WAIT_TIME, 10)
            .set(QueueOption.DEAD_LETTER_QUEUE, false)
            .set(QueueOption.DLQ_AFTER_MAX_RETRIES, false));
    assertNothingToPop();
    push("a");
    // when
    advanceSeconds(11);
    // then
    assertNothingToPop();
    eventually(() -> assertThat(group(GROUP).lag()).isZero());
    assertThat(deadLetters().total()).isZero();
  }

  @Test
  void shouldWithholdAPartitionUntilItHasBeenQuiet() {
    // given
    configure(QueueOption.WINDOW_BUFFER, 5);
    push("a");
    Popped early = pop(one());
    assertThat(early.reason()).isEqualTo(Reason.WINDOW);
    assertThat(early.retryAtMs()).isEqualTo(now() + 5_000);
    advanceSeconds(3);
    push("b");
    // when
    advanceSeconds(4);
    // then
    assertThat(pop(one()).reason()).isEqualTo(Reason.WINDOW);
    // when
    advanceSeconds(1);
    // then
    assertThat(payloads(popSoon(many()))).containsExactly("a", "b");
  }

  @Test
  void shouldWithholdOnlyThePartitionThatIsNotQuiet() {
    // given
    configure(QueueOption.WINDOW_BUFFER, 5);
    push(message("a").partition("p1"));
    advanceSeconds(5);
    push(message("b").partition("p2"));
    // then
    assertThat(payloads(popSoon(many()))).containsExactly("a");
  }

  @Test
  void shouldTakeQueuesOfHigherPriorityFirst() {
    // given
    tag("low", "shop", "", 1);
    tag("high", "shop", "", 9);
    tag("mid", "shop", "", 5);
    tag("foreign", "bank", "", 100);
    for (String queue : List.of("low", "high", "mid", "foreign")) {
      push(queue, queue);
    }
    // when
    List<String> served = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Delivery delivery = popOne(PopRequest.of(new PopSource.Tagged("shop", null)));
      served.add(delivery.message().queue());
      ack(delivery);
    }
    // then
    assertThat(served).containsExactly("high", "mid", "low");
    assertThat(pop(PopRequest.of(new PopSource.Tagged("shop", null))).reason())
        .isEqualTo(Reason.EMPTY);
  }

  @Test
  void shouldPopByTaskAndByBoth() {
    // given
    tag("q1", "shop", "mail", 0);
    tag("q2", "bank", "mail", 0);
    push("q1", "a");
    push("q2", "b");
    // then
    assertThat(payload(popOne(PopRequest.of(new PopSource.Tagged("bank", "mail"))))).isEqualTo("b");
    assertThat(payload(popOne(PopRequest.of(new PopSource.Tagged(null, "mail"))))).isEqualTo("a");
    assertThat(pop(PopRequest.of(new PopSource.Tagged("no-such", null))).reason())
        .isEqualTo(Reason.EMPTY);
  }

  @Test
  void shouldTakeNothingNewBeyondTheInFlightLimit() {
    // given
    makeShared();
    configure(QueueOption.MAX_IN_FLIGHT, 2);
    pushAll("a", "b", "c");
    Popped held = popAll();
    assertThat(payloads(held)).containsExactly("a", "b");
    // then
    assertThat(pop(one()).reason()).isEqualTo(Reason.IN_FLIGHT_LIMIT);
    // when
    ack(held.messages().getFirst());
    // then
    assertThat(payload(popOne())).isEqualTo("c");
  }

  @Test
  void shouldServeWhatCameBackBeyondTheInFlightLimit() {
    // given
    makeShared();
    configure(QueueOption.MAX_IN_FLIGHT, 2);
    pushAll("a", "b", "c");
    Popped held = popAll();
    // when
    release(held.messages().get(1));
    // then
    Popped again = popAll();
    assertThat(payloads(again)).containsExactly("b");
    assertThat(pop(one()).reason()).isEqualTo(Reason.IN_FLIGHT_LIMIT);
  }

  private void tag(String queue, String namespace, String task, int priority) {
    configure(
        ConfigureRequest.queue(queue)
            .set(QueueOption.NAMESPACE, namespace)
            .set(QueueOption.TASK, task)
            .set(QueueOption.PRIORITY, priority));
  }
}
