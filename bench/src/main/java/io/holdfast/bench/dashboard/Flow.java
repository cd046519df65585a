package io.holdfast.bench.dashboard;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.bench.Callers;
import io.holdfast.client.remote.RemoteBroker;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Messages that are pushed, popped and acked all the time, at a pace or as quickly as it goes.
 *
 * <p>Thread: one for each producer and consumer, together.
 */
final class Flow {
  private static final int CALLERS = 4;
  private static final int BATCH = 100;
  private static final byte[] PAYLOAD = "\"a message of a hundred bytes or so\"".getBytes(US_ASCII);

  private final Callers callers;

  /**
   * @param perSecond messages; 0 for as many as it can be
   */
  Flow(RemoteBroker broker, int perSecond) {
    long paceNanos = perSecond == 0 ? 0 : 1_000_000_000L * BATCH * CALLERS / perSecond;
    callers =
        Callers.start(
            CALLERS,
            caller -> {
              String queue = "load-" + caller;
              List<NewMessage> batch = Collections.nCopies(BATCH, NewMessage.to(queue, PAYLOAD));
              long[] next = {System.nanoTime()};
              return () -> {
                long left = next[0] - System.nanoTime();
                if (left > 0) {
                  LockSupport.parkNanos(left);
                }
                next[0] += paceNanos;
                broker.push(PushRequest.of(batch)).orThrow();
                Popped popped = broker.pop(PopRequest.queue(queue).batch(BATCH)).orThrow();
                if (!popped.isEmpty()) {
                  broker.settle(SettleRequest.of(Settle.ackAll(popped.leaseId()))).orThrow();
                }
                return popped.messages().size();
              };
            });
  }

  /** Messages per second, from now on. */
  double rate(long millis) throws InterruptedException {
    return callers.rate(millis);
  }

  /** Ends it, and throws what went wrong. */
  void end() throws InterruptedException {
    callers.stop();
    callers.join();
  }
}
