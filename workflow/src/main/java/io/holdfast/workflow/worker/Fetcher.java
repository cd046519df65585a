package io.holdfast.workflow.worker;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that asks a broker for things to do for as long as the worker runs; the broker answers
 * when there are some.
 *
 * <p>A broker that does not answer is asked again, later each time.
 *
 * <p>Thread: its own; {@link #stop} any.
 */
final class Fetcher {
  private static final Logger LOG = LoggerFactory.getLogger(Fetcher.class);
  private static final long FIRST_MS = 50;
  private static final long WAIT_MS_MAX = 5_000;

  /** One fetch, and what follows from it. */
  interface Round {
    void run() throws InterruptedException;
  }

  private final String name;
  private final Round round;
  private final Thread thread;
  private volatile boolean stopping;

  Fetcher(String name, Round round) {
    this.name = name;
    this.round = round;
    this.thread = Thread.ofVirtual().name(name).start(this::run);
  }

  private void run() {
    long waitMs = FIRST_MS;
    while (!stopping) {
      try {
        round.run();
        waitMs = FIRST_MS;
      } catch (InterruptedException e) {
        // Only a stop interrupts.
      } catch (RuntimeException trouble) {
        if (stopping) {
          return;
        }
        LOG.warn("{} got no answer from the broker: {}. It asks again.", name, trouble.toString());
        waitMs = pause(waitMs);
      } catch (Error failure) {
        LOG.error("{} failed; it continues", name, failure);
        waitMs = pause(waitMs);
      }
    }
  }

  private static long pause(long ms) {
    try {
      TimeUnit.MILLISECONDS.sleep(ms);
    } catch (InterruptedException e) {
      // Only a stop interrupts.
    }
    return Math.min(WAIT_MS_MAX, ms * 2);
  }

  void stop() {
    stopping = true;
    thread.interrupt();
  }

  void join(long ms) throws InterruptedException {
    thread.join(ms);
  }
}
