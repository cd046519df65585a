package io.holdfast.examples;

import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.client.Holdfast;
import io.holdfast.client.consume.Consumer;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * Leaves a service alone that failed several times in a row.
 *
 * <p>While it is open nobody calls the service; after its pause one call tries.
 *
 * <p>Thread: any.
 */
public final class CircuitBreaker {
  static final String TRANSFERS = "example-transfers";
  static final int THRESHOLD = 3;
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final int COUNT = 5;

  private final int threshold;
  private final Duration pause;
  private final Runnable onOpen;
  private int failures;
  private long openUntilNanos;

  /**
   * @param threshold so many failures in a row open it
   * @param pause for how long
   * @param onOpen told when that happens
   */
  public CircuitBreaker(int threshold, Duration pause, Runnable onOpen) {
    this.threshold = threshold;
    this.pause = pause;
    this.onOpen = onOpen;
  }

  /** How long to leave the service alone; zero for whoever may call it now. */
  public synchronized Duration pauseLeft() {
    if (failures < threshold) {
      return Duration.ZERO;
    }
    long left = openUntilNanos - System.nanoTime();
    if (left > 0) {
      return Duration.ofNanos(left);
    }
    // One call tries it; the others wait for another pause.
    openUntilNanos = System.nanoTime() + pause.toNanos();
    return Duration.ZERO;
  }

  public synchronized void succeeded() {
    failures = 0;
  }

  public synchronized void failed() {
    failures++;
    if (failures >= threshold) {
      openUntilNanos = System.nanoTime() + pause.toNanos();
      onOpen.run();
    }
  }

  public static void main(String[] args) throws Exception {
    Examples.start(args, CircuitBreaker::run, System.out);
  }

  public static void run(Holdfast holdfast, PrintStream out) throws InterruptedException {
    Examples.beginWithout(holdfast, TRANSFERS);
    ConfigureRequest options =
        ConfigureRequest.queue(TRANSFERS)
            .set(QueueOption.RETRY_LIMIT, THRESHOLD)
            .set(QueueOption.RETRY_DELAY, 10);
    holdfast.broker().configure(options).orThrow();
    for (int i = 1; i <= COUNT; i++) {
      holdfast.queue(TRANSFERS).push("{\"transfer\":" + i + "}");
    }

    Bank bank = new Bank();
    CircuitBreaker breaker =
        new CircuitBreaker(
            THRESHOLD,
            PAUSE,
            () -> {
              out.println("the circuit is open");
              bank.repair();
            });
    try (Consumer consumer =
        holdfast
            .queue(TRANSFERS)
            .each()
            .consume(
                message -> {
                  Duration left = breaker.pauseLeft();
                  if (!left.isZero()) {
                    message.release(left);
                    return;
                  }
                  try {
                    bank.send(message.text());
                    breaker.succeeded();
                  } catch (IOException down) {
                    breaker.failed();
                    throw down;
                  }
                })) {
      bank.sent.await();
      consumer.stop(Duration.ofSeconds(10));
      out.println("sent: " + consumer.counts().acked());
      out.println("failed calls: " + consumer.counts().nacked());
      out.println("dead: " + consumer.counts().dead());
    }
  }

  /** A service that is down until somebody repairs it. */
  private static final class Bank {
    final CountDownLatch sent = new CountDownLatch(COUNT);
    private boolean down = true;

    synchronized void repair() {
      down = false;
    }

    synchronized void send(String transfer) throws IOException {
      if (down) {
        throw new IOException("the bank does not answer about " + transfer);
      }
      sent.countDown();
    }
  }
}
