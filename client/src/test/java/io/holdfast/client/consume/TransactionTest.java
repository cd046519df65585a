package io.holdfast.client.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.commit.Committed;
import io.holdfast.client.ClientFixture;
import io.holdfast.client.produce.Outgoing;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransactionTest extends ClientFixture {
  private HeldMessage taken(String text) {
    push(text);
    return holdfast.queue(QUEUE).leaseTime(Duration.ofSeconds(30)).take().orElseThrow();
  }

  @Test
  void shouldAckAndForwardInOneStep() {
    // given
    HeldMessage message = taken("order");
    // when
    Committed committed =
        holdfast
            .transaction()
            .ack(message)
            .queue("next")
            .partition("workflow-1")
            .push(List.of(Outgoing.text("a"), Outgoing.text("b")))
            .queue("audit")
            .push("seen")
            .commit();
    // then
    assertThat(committed.steps()).hasSize(4);
    assertThat(message.isSettled()).isTrue();
    assertNothingIsLeft();
    assertThat(holdfast.queue("next").partition("workflow-1").batch(9).pop())
        .extracting(HeldMessage::text)
        .containsExactly("a", "b");
    assertThat(stored("audit")).containsExactly("seen");
  }

  @Test
  void shouldDoNothingIfTheLeaseIsOverAndNameTheOperation() {
    // given
    HeldMessage message = taken("order");
    clock.advance(Duration.ofSeconds(31));
    Transaction late = holdfast.transaction().queue("next").push("forward").ack(message);
    // then
    assertThatThrownBy(late::commit)
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(ErrorCode.STALE_LEASE);
              assertThat(refused.refusal().operation()).isEqualTo(1);
            })
        .hasMessageContaining("operation 1, ack of message " + message.id());
    assertThat(stored("next")).isEmpty();
    assertThat(message.isSettled()).isFalse();
  }

  @Test
  void shouldDoNothingIfAPushIsADuplicate() {
    // given
    HeldMessage message = taken("order");
    Outgoing named = Outgoing.text("x").transactionId("x-1");
    holdfast.queue("next").partition("p").push(named);
    // then
    assertThatThrownBy(
            () ->
                holdfast
                    .transaction()
                    .ack(message)
                    .queue("next")
                    .partition("p")
                    .push(named)
                    .commit())
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("DUPLICATE")
        .hasMessageContaining("push to next/p");
    assertThat(counts().inFlight()).isEqualTo(1);
    message.ack();
  }

  @Test
  void shouldCommitOnceThoughItIsRepeated() {
    // given
    HeldMessage message = taken("order");
    Transaction transaction = holdfast.transaction().ack(message).queue("next").push("forward");
    lossy.loseAnswers(1);
    assertThatThrownBy(transaction::commit).isInstanceOf(UnreachableException.class);
    // when
    transaction.commit();
    // then
    assertThat(stored("next")).containsExactly("forward");
    assertThat(message.isSettled()).isTrue();
  }

  @Test
  void shouldSettleInManyWaysTogether() {
    // given
    push("1", "2", "3", "4");
    List<HeldMessage> all = holdfast.queue(QUEUE).batch(4).pop();
    // when
    holdfast
        .transaction()
        .ack(all.get(0))
        .nack(all.get(1), "failed", Duration.ofHours(1))
        .kill(all.get(2), "poison")
        .release(all.get(3))
        .commit();
    // then
    assertNothingIsLeft();
    assertThat(counts().dead()).isEqualTo(1);
    assertThat(counts().returned()).isEqualTo(2);
  }

  @Test
  void shouldLeaveToTheTransactionWhatItSettledInAHandler() {
    // given
    push("order");
    // when
    try (Consumer consumer =
        holdfast
            .queue(QUEUE)
            .each()
            .consume(
                message ->
                    holdfast.transaction().ack(message).queue("next").push("done").commit())) {
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(1));
      eventually(() -> assertThat(broker.stats().orThrow().parkedPops()).isEqualTo(1));
      // then
      assertThat(consumer.counts().refused()).isZero();
      assertThat(lossy.settles).isEmpty();
    }
    assertThat(stored("next")).containsExactly("done");
  }

  @Test
  void shouldCountWhatAnUnansweredCommitAckedAsAcked() {
    // given
    push("order");
    // when
    try (Consumer consumer =
        holdfast
            .queue(QUEUE)
            .each()
            .consume(
                message -> {
                  lossy.loseAnswers(1);
                  holdfast.transaction().ack(message).queue("next").push("done").commit();
                })) {
      eventually(() -> assertThat(consumer.counts().handlerFailures()).isEqualTo(1));
      eventually(() -> assertThat(broker.stats().orThrow().parkedPops()).isEqualTo(1));
      // then
      assertThat(consumer.counts())
          .returns(1L, ConsumerCounts::acked)
          .returns(0L, ConsumerCounts::nacked);
    }
    assertThat(stored("next")).containsExactly("done");
  }

  @Test
  void shouldCountWhatAnUnansweredAckByHandAckedAsAcked() {
    // given
    push("order");
    // when
    try (Consumer consumer =
        holdfast
            .queue(QUEUE)
            .each()
            .consume(
                message -> {
                  lossy.loseAnswers(1);
                  message.ack();
                })) {
      eventually(() -> assertThat(consumer.counts().handlerFailures()).isEqualTo(1));
      eventually(() -> assertThat(broker.stats().orThrow().parkedPops()).isEqualTo(1));
      // then
      assertThat(consumer.counts())
          .returns(1L, ConsumerCounts::acked)
          .returns(0L, ConsumerCounts::nacked);
    }
  }

  @Test
  void shouldRetryAMessageWhoseUnansweredCommitDidNotHappen() {
    // given
    push("order");
    lossy.cut();
    // when
    try (Consumer consumer =
        holdfast
            .queue(QUEUE)
            .each()
            .consume(
                message -> {
                  if (message.failures() == 0) {
                    lossy.cut();
                    try {
                      holdfast.transaction().ack(message).commit();
                    } finally {
                      lossy.heal();
                    }
                  }
                })) {
      lossy.heal();
      // then
      advanceUntil(Duration.ofSeconds(1), () -> assertThat(consumer.counts().acked()).isEqualTo(1));
      assertThat(consumer.counts().nacked()).isEqualTo(1);
    }
  }

  @Test
  void shouldAskForAQueueBeforeAPushAndForSomethingToCommit() {
    assertThatThrownBy(() -> holdfast.transaction().push("where to?"))
        .hasMessageContaining("queue(...)");
    assertThatThrownBy(() -> holdfast.transaction().commit()).hasMessageContaining("nothing");
  }
}
