package io.holdfast.workflow.worker;

import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.TimerThread;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LeasesTest {
  private static final long LEASE_MS = 30_000;

  private final ManualClock clock = new ManualClock();

  @Test
  void shouldRenewAgainAfterAnError() {
    AtomicInteger renewals = new AtomicInteger();
    try (Broker broker = EmbeddedBroker.open(EngineConfig.inMemory(), clock);
        TimerThread timer = new TimerThread(clock, "leases-test", failure -> {})) {
      // given a lease whose first renewal fails with an error
      broker.push(PushRequest.of(NewMessage.to("q", new byte[] {1}))).orThrow();
      String lease = broker.pop(PopRequest.queue("q").leaseMs(LEASE_MS)).orThrow().leaseId();
      Broker failing =
          new ForwardingBroker(broker) {
            @Override
            public Result<Extended> extend(ExtendRequest request) {
              if (renewals.incrementAndGet() == 1) {
                throw new OutOfMemoryError("thrown on purpose");
              }
              return super.extend(request);
            }
          };
      Leases.Held held = new Leases(failing, timer, clock).renew(lease, LEASE_MS, 1);
      // when
      clock.advance(Duration.ofMillis(LEASE_MS / 3));
      await().until(() -> renewals.get() == 1);
      // then
      await()
          .until(
              () -> {
                clock.advance(Duration.ofMillis(100));
                return renewals.get() > 1;
              });
      held.done();
    }
  }
}
