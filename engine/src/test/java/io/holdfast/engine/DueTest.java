package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A test that moves time learns how far it may. */
class DueTest {
  private static final byte[] PAYLOAD = {1};

  private final ManualClock clock = new ManualClock();
  private final EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.inMemory(), clock);

  @AfterEach
  void close() {
    broker.close();
  }

  private Delivery pop(long leaseMs) {
    return broker.pop(PopRequest.queue("q").leaseMs(leaseMs)).orThrow().messages().getFirst();
  }

  @Test
  void shouldKnowNothingDueWhenNothingWaitsForTime() {
    broker.push(PushRequest.of(NewMessage.to("q", PAYLOAD))).orThrow();
    assertThat(broker.dueMs()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldKnowWhenADelayedMessageBecomesVisible() {
    long now = clock.wallMs();
    broker.push(PushRequest.of(NewMessage.to("q", PAYLOAD).delayMs(5_000))).orThrow();
    broker.push(PushRequest.of(NewMessage.to("q", PAYLOAD).delayMs(3_000))).orThrow();
    assertThat(broker.dueMs()).isEqualTo(now + 3_000);
  }

  @Test
  void shouldKnowWhenALeaseEnds() {
    broker.push(PushRequest.of(NewMessage.to("q", PAYLOAD))).orThrow();
    pop(7_000);
    assertThat(broker.dueMs()).isEqualTo(clock.wallMs() + 7_000);
  }

  @Test
  void shouldKnowWhenAFailedMessageMayBeTriedAgain() {
    // given
    broker.push(PushRequest.of(NewMessage.to("q", PAYLOAD))).orThrow();
    Delivery failed = pop(60_000);
    long now = clock.wallMs();
    broker.settle(SettleRequest.of(Settle.nack(failed.handle(), "no").delayMs(9_000))).orThrow();
    // when a pop has looked
    assertThat(broker.pop(PopRequest.queue("q")).orThrow().messages()).isEmpty();
    // then
    assertThat(broker.dueMs()).isEqualTo(now + 9_000);
    clock.advance(Duration.ofSeconds(9));
    assertThat(broker.pop(PopRequest.queue("q")).orThrow().messages()).hasSize(1);
  }
}
