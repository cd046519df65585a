package io.holdfast.bench.flows;

import io.holdfast.api.Broker;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.message.NewMessage;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** How many commits a broker takes that are like a turn: an event, a message and a record. */
final class CommitProbe {
  private static final int CALLERS = 64;
  private static final int BYTES = 100;

  private volatile boolean running = true;

  double run(Broker broker, String queue, int seconds) throws InterruptedException {
    AtomicLong done = new AtomicLong();
    Thread[] threads = new Thread[CALLERS];
    for (int i = 0; i < CALLERS; i++) {
      String name = queue + "-" + i;
      threads[i] = Thread.ofVirtual().start(() -> commit(broker, queue, name, done));
    }
    TimeUnit.MILLISECONDS.sleep(FlowsRun.warmUpMs(seconds));
    long before = done.get();
    long start = System.nanoTime();
    TimeUnit.SECONDS.sleep(seconds);
    double rate = (done.get() - before) * 1e9 / (System.nanoTime() - start);
    running = false;
    for (Thread thread : threads) {
      thread.join();
    }
    broker.deleteQueue(queue).orThrow();
    return rate;
  }

  private void commit(Broker broker, String queue, String name, AtomicLong done) {
    byte[] bytes = new byte[BYTES];
    for (long position = 0; running; position++) {
      broker
          .commit(
              CommitRequest.of(
                  new Operation.AppendJournal(name, position, List.of(bytes)),
                  new Operation.PushMessage(NewMessage.to(queue, bytes).partition(name), false),
                  new Operation.PutRecord(name, Operation.ANY_VERSION, bytes)))
          .orThrow();
      done.incrementAndGet();
    }
  }
}
