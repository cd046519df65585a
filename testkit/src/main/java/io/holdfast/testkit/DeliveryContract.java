package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Popped.Reason;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.message.PushedMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The contract of delivery: what a pop takes, in which order, and what it says if it is nothing.
 */
abstract class DeliveryContract extends ContractFixture {
  DeliveryContract(BrokerContract implementation) {
    super(implementation);
  }

  @Test
  void shouldDeliverTheWholeMessage() {
    // given
    byte[] payload = {0, 1, -1, 127, -128};
    PushedMessage pushed =
        push(
            NewMessage.to(QUEUE, payload)
                .partition("p1")
                .lane(7)
                .transactionId("t1")
                .headers(Map.of("kind", "order", "ключ", "значение")));
    // when
    Delivery delivery = popOne();
    // then
    Message message = delivery.message();
    assertThat(message.id()).isEqualTo(pushed.id());
    assertThat(message.id().version()).isEqualTo(7);
    assertThat(message.queue()).isEqualTo(QUEUE);
    assertThat(message.partition()).isEqualTo("p1");
    assertThat(message.position().partition()).isEqualTo(pushed.partition());
    assertThat(message.position().lane()).isEqualTo(7);
    assertThat(message.transactionId()).isEqualTo("t1");
    assertThat(message.payload()).isEqualTo(payload);
    assertThat(message.headers())
        .containsOnly(Map.entry("kind", "order"), Map.entry("ключ", "значение"));
    assertThat(message.createdMs()).isEqualTo(now());
    assertThat(message.visibleMs()).isEqualTo(now());
    assertThat(delivery.attempt()).isEqualTo(1);
    assertThat(delivery.failures()).isZero();
  }

  @Test
  void shouldDeliverAnEmptyPayload() {
    // given
    push("");
    // then
    assertThat(popOne().message().payload()).isEmpty();
  }

  @Test
  void shouldUseTheDefaultPartitionUnlessToldOtherwise() {
    // given
    push("a");
    // then
    assertThat(popOne().message().partition()).isEqualTo("Default");
  }

  @Test
  void shouldDeliverInTheOrderOfThePushes() {
    // given
    pushAll("a", "b");
    push("c");
    // then
    assertThat(payloads(popAll())).containsExactly("a", "b", "c");
  }

  @Test
  void shouldDeliverOneMessageUnlessAskedForMore() {
    // given
    pushAll("a", "b", "c");
    // then
    assertThat(payloads(pop(one()))).containsExactly("a");
  }

  @Test
  void shouldDeliverNoMoreThanTheBatch() {
    // given
    pushAll("a", "b", "c");
    // then
    assertThat(payloads(pop(one().batch(2)))).containsExactly("a", "b");
  }

  @Test
  void shouldGoOnWhereTheLastPopEnded() {
    // given
    pushAll("a", "b", "c");
    // when
    ackAll(pop(one().batch(2)));
    // then
    assertThat(payloads(popAll())).containsExactly("c");
  }

  @Test
  void shouldTakeLowerLanesFirstAndThenSeq() {
    // given
    pushAll(
        message("low1").lane(9),
        message("high1").lane(0),
        message("mid1").lane(4),
        message("low2").lane(9),
        message("high2").lane(0));
    // then
    assertThat(payloads(popAll())).containsExactly("high1", "high2", "mid1", "low1", "low2");
  }

  @Test
  void shouldLetALaterMessageOfALowerLaneGoFirst() {
    // given
    pushAll(message("low1").lane(1), message("low2").lane(1));
    ack(popOne());
    push(message("high").lane(0));
    // then
    assertThat(payloads(popAll())).containsExactly("high", "low2");
  }

  @Test
  void shouldCountSeqAcrossLanes() {
    // given
    pushAll(message("a").lane(1), message("b").lane(0));
    // when
    Popped popped = popAll();
    // then
    long seqOfB = popped.messages().get(0).message().position().seq();
    long seqOfA = popped.messages().get(1).message().position().seq();
    assertThat(seqOfB).isGreaterThan(seqOfA);
  }

  @Test
  void shouldRefuseMoreLanesThanAPartitionMayHave() {
    // given
    pushAll(
        IntStream.range(0, 256).mapToObj(i -> message("m").lane(i * 3)).toArray(NewMessage[]::new));
    // then
    assertRefused(broker.push(PushRequest.of(message("m").lane(1))), ErrorCode.LIMIT);
    push(message("m").lane(255 * 3));
    push(message("m").partition("other").lane(1));
  }

  @Test
  void shouldLockAnOrderedPartitionWhileItIsLeased() {
    // given
    pushAll("a", "b");
    Popped first = pop(one());
    // when
    Popped second = pop(one());
    // then
    assertThat(second.messages()).isEmpty();
    assertThat(second.reason()).isEqualTo(Reason.LOCKED);
    assertThat(second.retryAtMs()).isEqualTo(first.leaseUntilMs());
    assertThat(second.leaseId()).isEmpty();
    // when
    ackAll(first);
    // then
    assertThat(payload(popOne())).isEqualTo("b");
  }

  @Test
  void shouldLockEachPartitionByItself() {
    // given
    push(message("a").partition("p1"));
    popOne();
    push(message("b").partition("p2"));
    // then
    assertThat(payload(popOne())).isEqualTo("b");
    assertThat(pop(PopRequest.partition(QUEUE, "p1")).reason()).isEqualTo(Reason.LOCKED);
  }

  @Test
  void shouldLeaseASharedPartitionToMany() {
    // given
    makeShared();
    pushAll("a", "b", "c");
    // when
    Popped first = pop(one());
    Popped second = pop(one().batch(10));
    // then
    assertThat(payloads(first)).containsExactly("a");
    assertThat(payloads(second)).containsExactly("b", "c");
    assertThat(second.leaseId()).isNotEqualTo(first.leaseId());
    assertThat(pop(one()).reason()).isEqualTo(Reason.EMPTY);
  }

  @Test
  void shouldTakePartitionsInTurn() {
    // given: one partition with much to do, and two with little
    for (String partition : List.of("busy", "busy", "busy", "busy", "calm", "calm", "quiet")) {
      push(message(partition).partition(partition));
    }
    // when
    List<String> served = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      Delivery delivery = popOne();
      served.add(payload(delivery));
      ack(delivery);
    }
    // then
    assertThat(served.subList(0, 3)).containsExactlyInAnyOrder("busy", "calm", "quiet");
    assertThat(served.subList(3, 5)).containsExactlyInAnyOrder("busy", "calm");
    assertThat(served.subList(5, 7)).containsExactly("busy", "busy");
  }

  @Test
  void shouldKeepTakingTurnsAfterARestart() {
    // given
    for (String partition : List.of("p1", "p1", "p2", "p2")) {
      push(message(partition).partition(partition));
    }
    Delivery first = popOne();
    ack(first);
    // when
    restart();
    // then
    assertThat(payload(popOne())).isNotEqualTo(payload(first));
  }

  @Test
  void shouldTakeFromOnePartitionUnlessAskedForMore() {
    // given
    pushAll(
        message("a1").partition("p1"),
        message("a2").partition("p1"),
        message("b1").partition("p2"),
        message("b2").partition("p2"));
    // when
    Popped popped = pop(one().batch(10));
    // then
    assertThat(popped.messages())
        .hasSize(2)
        .extracting(delivery -> delivery.message().partition())
        .containsOnly(popped.messages().getFirst().message().partition());
  }

  @Test
  void shouldTakeFromAsManyPartitionsAsAskedUnderOneLease() {
    // given
    pushAll(
        message("a1").partition("p1"),
        message("a2").partition("p1"),
        message("b1").partition("p2"),
        message("c1").partition("p3"));
    // when
    Popped popped = pop(one().batch(10).partitions(2));
    // then
    assertThat(
            popped.messages().stream()
                .map(delivery -> delivery.message().partition())
                .collect(Collectors.toSet()))
        .hasSize(2);
    assertThat(popped.messages()).extracting(Delivery::leaseId).containsOnly(popped.leaseId());
    assertThat(stats().leases()).isEqualTo(1);
  }

  @Test
  void shouldLimitTheBatchOverAllPartitions() {
    // given
    pushAll(
        message("a1").partition("p1"),
        message("a2").partition("p1"),
        message("b1").partition("p2"),
        message("b2").partition("p2"));
    // then
    assertThat(pop(one().batch(3).partitions(2)).messages()).hasSize(3);
  }

  @Test
  void shouldTakeFromTheNamedPartitionOnly() {
    // given
    pushAll(message("a").partition("p1"), message("b").partition("p2"));
    // then
    assertThat(payloads(pop(PopRequest.partition(QUEUE, "p2").batch(10)))).containsExactly("b");
    assertThat(pop(PopRequest.partition(QUEUE, "p9")).reason()).isEqualTo(Reason.EMPTY);
  }

  @Test
  void shouldStopAPopAtFourMebibytes() {
    // given
    String large = "x".repeat(900 * 1024);
    for (int i = 0; i < 6; i++) {
      push(large);
    }
    // when
    Popped first = popAll();
    // then: whether or not the message that would pass the limit is still taken
    assertThat(first.messages()).hasSizeBetween(4, 5);
    ackAll(first);
    assertThat(popAll().messages()).hasSize(6 - first.messages().size());
  }

  @Test
  void shouldKeepMessagesAndTheirOrderOverARestart() {
    // given
    pushAll("a", "b", "c");
    ack(popOne());
    // when
    restart();
    // then
    assertThat(payloads(popAll())).containsExactly("b", "c");
  }

  @Test
  void shouldAcceptAnEmptyPush() {
    // when
    Result<Pushed> result = broker.push(PushRequest.of(List.of()));
    // then
    assertThat(result.orThrow().messages()).isEmpty();
  }
}
