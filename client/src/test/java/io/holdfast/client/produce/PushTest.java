package io.holdfast.client.produce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.client.ClientFixture;
import io.holdfast.client.consume.HeldMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pushing without a buffer, and taking one message at a time. */
class PushTest extends ClientFixture {
  @Test
  void shouldStoreOneMessageAndTakeItBack() {
    // given
    PushedMessage pushed = holdfast.queue(QUEUE).partition("p").push("hello");
    // when
    HeldMessage taken = holdfast.queue(QUEUE).take().orElseThrow();
    // then
    assertThat(taken.id()).isEqualTo(pushed.id());
    assertThat(taken.text()).isEqualTo("hello");
    assertThat(taken.partition()).isEqualTo("p");
    assertThat(taken.attempt()).isEqualTo(1);
    holdfast.ack(taken);
    assertNothingIsLeft();
    assertThat(holdfast.queue(QUEUE).take()).isEmpty();
  }

  @Test
  void shouldStoreManyMessagesInTheirOrder() {
    Pushed pushed =
        holdfast
            .queue(QUEUE)
            .push(List.of(Outgoing.text("1"), Outgoing.text("2"), Outgoing.text("3")));

    assertThat(pushed.messages()).hasSize(3);
    assertThat(stored(QUEUE)).containsExactly("1", "2", "3");
  }

  @Test
  void shouldNotStoreTheSameNameTwice() {
    Outgoing named = Outgoing.text("once").transactionId("order-1");

    PushedMessage first = holdfast.queue(QUEUE).push(named);
    PushedMessage second = holdfast.queue(QUEUE).push(named);

    assertThat(second.duplicate()).isTrue();
    assertThat(second.id()).isEqualTo(first.id());
    assertThat(stored(QUEUE)).containsExactly("once");
  }

  @Test
  void shouldDeliverADelayedMessageWhenItIsDue() {
    // given
    holdfast.queue(QUEUE).push(Outgoing.text("later").delay(Duration.ofSeconds(60)));
    // when
    clock.advance(Duration.ofMillis(59_999));
    // then
    assertThat(holdfast.queue(QUEUE).take()).isEmpty();
    clock.advance(Duration.ofMillis(1));
    eventually(() -> assertThat(holdfast.queue(QUEUE).take()).isPresent());
  }

  @Test
  void shouldDeliverTheMoreUrgentFirstWithItsHeaders() {
    // given
    holdfast.queue(QUEUE).push(Outgoing.text("slow").priority(5));
    holdfast.queue(QUEUE).push(Outgoing.text("fast").priority(0).header("trace", "abc"));
    // when
    List<HeldMessage> taken = holdfast.queue(QUEUE).batch(2).pop();
    // then
    assertThat(taken).extracting(HeldMessage::text).containsExactly("fast", "slow");
    assertThat(taken.get(0).headers()).isEqualTo(Map.of("trace", "abc"));
  }

  @Test
  void shouldThrowWhatTheBrokerRefuses() {
    configure(QueueOption.MAX_SIZE, 1);
    push("first");

    assertThatThrownBy(() -> push("second"))
        .isInstanceOf(RefusedException.class)
        .satisfies(
            thrown -> assertThat(((RefusedException) thrown).code()).isEqualTo(ErrorCode.FULL));
  }

  @Test
  void shouldThrowALateAckAndTellThatTheMessageIsOut() {
    // given
    push("slow");
    HeldMessage late = holdfast.queue(QUEUE).leaseTime(Duration.ofSeconds(5)).take().orElseThrow();
    clock.advance(Duration.ofSeconds(6));
    // then
    assertThatThrownBy(late::ack)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("STALE_LEASE")
        .hasMessageContaining(late.id().toString());
  }

  @Test
  void shouldTakeARepeatedAckAsDone() {
    push("a");
    HeldMessage taken = holdfast.queue(QUEUE).take().orElseThrow();

    holdfast.ack(taken);

    assertThat(holdfast.ack(taken).applied()).isFalse();
  }

  @Test
  void shouldAckABatchAllOrNone() {
    // given
    push("a", "b");
    List<HeldMessage> taken = holdfast.queue(QUEUE).batch(2).pop();
    taken.get(1).release();
    // then
    assertThatThrownBy(() -> holdfast.ackBatch(taken))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("operation 1")
        .hasMessageContaining(taken.get(1).id().toString());
    assertThat(taken.get(0).isSettled()).isFalse();
    holdfast.ackBatch(taken.subList(0, 1));
    assertThat(counts().inFlight()).isZero();
  }
}
