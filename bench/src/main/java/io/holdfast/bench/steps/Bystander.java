package io.holdfast.bench.steps;

import io.holdfast.api.Broker;
import io.holdfast.api.NewMessage;
import io.holdfast.api.PushRequest;
import io.holdfast.bench.Latencies;
import org.jspecify.annotations.Nullable;

/** A producer of a queue of its own, which pushes one message after the other and times each. */
final class Bystander implements AutoCloseable {
  private static final int PAYLOAD_BYTES = 100;

  private final Broker broker;
  private final Thread thread = Thread.ofPlatform().name("bystander").unstarted(this::run);
  private volatile Latencies latencies = new Latencies();
  private volatile boolean closing;
  private volatile @Nullable RuntimeException failure;

  Bystander(Broker broker) {
    this.broker = broker;
  }

  void start() {
    thread.start();
  }

  /** Begins to count anew; answers what was counted so far. */
  Latencies next() {
    RuntimeException failed = failure;
    if (failed != null) {
      throw new IllegalStateException("the pushes of the bystander failed", failed);
    }
    Latencies before = latencies;
    latencies = new Latencies();
    return before;
  }

  private void run() {
    try {
      while (!closing) {
        PushRequest push =
            PushRequest.of(NewMessage.to("bystander", new byte[PAYLOAD_BYTES]));
        Latencies counted = latencies;
        long begun = System.nanoTime();
        broker.push(push).orThrow();
        counted.add(System.nanoTime() - begun);
      }
    } catch (RuntimeException failed) {
      failure = failed;
    }
  }

  @Override
  public void close() throws InterruptedException {
    closing = true;
    thread.join();
  }
}
