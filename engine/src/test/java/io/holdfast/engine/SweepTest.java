package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is kept no longer is freed soon, however much of it there is. */
class SweepTest {
  /** More than one sweep frees, each of them a chunk of its own. */
  private static final int MESSAGES = 5_000;

  private final ManualClock clock = new ManualClock();
  private final EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.inMemory(), clock);

  @AfterEach
  void close() {
    broker.close();
  }

  @Test
  void shouldSweepAgainSoonWhileThereIsMuchToTrim() {
    // given
    broker
        .configure(ConfigureRequest.queue("q").set(QueueOption.COMPLETED_RETENTION, 0L))
        .orThrow();
    for (int i = 0; i < MESSAGES; i++) {
      NewMessage message = NewMessage.to("q", new byte[10]).partition("p" + i % 100);
      broker.push(new PushRequest(List.of(message), null)).orThrow();
    }
    PopRequest all = PopRequest.queue("q").batch(MESSAGES).partitions(100);
    String lease = broker.pop(all).orThrow().leaseId();
    broker.settle(SettleRequest.of(Settle.ackAll(lease))).orThrow();
    assertThat(broker.stats().orThrow().storedBytes()).isPositive();
    long begunMs = clock.wallMs();
    // when
    clock.advance(Duration.ofSeconds(1));
    // then
    Awaitility.await()
        .pollInterval(Duration.ofMillis(2))
        .untilAsserted(
            () -> {
              clock.advance(Duration.ofMillis(1));
              assertThat(broker.stats().orThrow().storedBytes()).isZero();
            });
    assertThat(clock.wallMs() - begunMs).isLessThan(2_000);
  }
}
