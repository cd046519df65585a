package io.holdfast.bench.client;

import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.client.Holdfast;
import io.holdfast.client.consume.Consumer;
import io.holdfast.client.consume.ConsumerId;
import io.holdfast.client.consume.ConsumerListener;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A consumer in a process of its own, which its parent stops and lets go on. */
final class ConsumerChild {
  /** Opened by the first byte from the parent. */
  private static final CountDownLatch GO_ON = new CountDownLatch(1);

  private ConsumerChild() {}

  private static void say(String what) {
    System.out.println(what);
    System.out.flush();
  }

  /** Works until the parent lets it go on, also if it learns that its lease is lost. */
  private static void awaitParent() {
    boolean interrupted = false;
    while (GO_ON.getCount() > 0) {
      try {
        GO_ON.await();
      } catch (InterruptedException lost) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes the address; says what it does, and ends when its standard input does. */
  public static void main(String[] args) throws IOException {
    ConsumerListener listener =
        new ConsumerListener() {
          @Override
          public void refused(ConsumerId id, Settle settle, SettleVerdict verdict, int messages) {
            say("REFUSED " + verdict.status());
          }

          @Override
          public void leaseLost(ConsumerId id, String leaseId, int messages) {
            say("LOST");
          }

          @Override
          public void acked(ConsumerId id, int messages) {
            say("ACKED " + messages);
          }
        };
    try (Holdfast holdfast = Holdfast.connect(args[0]);
        Consumer consumer =
            holdfast
                .queue("q")
                .leaseTime(Duration.ofSeconds(1))
                .listener(listener)
                .each()
                .consume(
                    message -> {
                      say("BEGUN " + message.text());
                      awaitParent();
                      say("HANDLED " + message.text());
                    })) {
      say("READY");
      while (System.in.read() >= 0) {
        GO_ON.countDown();
      }
      say("COUNTS " + consumer.counts().refused());
    }
  }
}
