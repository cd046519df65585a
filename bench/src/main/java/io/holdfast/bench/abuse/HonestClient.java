package io.holdfast.bench.abuse;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.bench.Callers;
import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.Latencies;
import io.holdfast.client.remote.RemoteBroker;
import java.util.concurrent.locks.LockSupport;

/**
 * A client that pushes, pops and acks at a steady pace, and knows how long each call took.
 *
 * <p>Thread: a few of its own while it measures.
 */
public final class HonestClient implements AutoCloseable {
  private static final int CALLERS = 4;
  private static final long PACE_NANOS = 10_000_000;
  private static final byte[] PAYLOAD = "\"an honest message\"".getBytes(US_ASCII);

  private final RemoteBroker broker;

  public HonestClient(int port) {
    broker = RemoteBroker.at("http://127.0.0.1:" + port);
  }

  /** Works for a time, and answers how long its calls took. */
  public Latencies measure(long millis) throws InterruptedException {
    Latencies latencies = new Latencies();
    Callers callers =
        Callers.start(
            Thread.ofPlatform().daemon(),
            CALLERS,
            caller -> {
              String queue = "honest-" + caller;
              long[] next = {System.nanoTime()};
              return () -> {
                long left = next[0] - System.nanoTime();
                if (left > 0) {
                  LockSupport.parkNanos(left);
                }
                next[0] += PACE_NANOS;
                round(queue, latencies);
                return 1;
              };
            });
    callers.await(millis);
    callers.stop();
    callers.join();
    return latencies;
  }

  /** Pushes, pops and acks one message. */
  public void round() {
    round("honest", new Latencies());
  }

  private void round(String queue, Latencies latencies) {
    long begun = System.nanoTime();
    broker.push(PushRequest.of(NewMessage.to(queue, PAYLOAD))).orThrow();
    long pushed = System.nanoTime();
    Popped popped = broker.pop(PopRequest.queue(queue)).orThrow();
    long got = System.nanoTime();
    CheckFailedException.expectEqual("messages that a pop got", 1, popped.messages().size());
    broker.settle(SettleRequest.of(Settle.ack(popped.messages().getFirst().handle()))).orThrow();
    latencies.add(pushed - begun);
    latencies.add(got - pushed);
    latencies.add(System.nanoTime() - got);
  }

  @Override
  public void close() {
    broker.close();
  }
}
