package io.holdfast.client.consume;

import io.holdfast.api.Limits;
import io.holdfast.api.PopRequest;
import io.holdfast.api.Popped;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Result;
import io.holdfast.client.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread of a consumer: it pops, has the messages handled, and settles them with the next pop.
 *
 * <p>A pop that carries settles does not wait for messages: so their verdicts come at once, and
 * only a pop that has nothing to say stays with the broker. A broker that does not answer is asked
 * again, later each time, for as long as the consumer runs.
 *
 * <p>Invariant: the thread is interrupted only while it waits in a pop or is in the handler.
 *
 * <p>Thread: its own; {@link #wake} and {@link #abandon} any.
 */
final class Worker implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

  /** How long a pop waits for messages before it asks again. */
  private static final Duration POP_WAIT = Duration.ofSeconds(30);

  private static final Duration RETRY_FIRST = Duration.ofMillis(100);
  private static final Duration RETRY_MAX = Duration.ofSeconds(10);

  private static final Popped NOTHING =
      new Popped(List.of(), "", 0, Popped.Reason.EMPTY, 0, List.of());

  private final Consumer consumer;
  private final Handling handling;
  private final Handling.Tools tools;
  private final Books books;
  private final Settling settling;
  private final Backoff backoff = new Backoff(RETRY_FIRST, RETRY_MAX);
  private final Thread thread;
  private volatile boolean abandoned;
  private volatile boolean ended;
  private volatile @Nullable HeldLease held;
  private boolean waiting;

  Worker(Consumer consumer, Handling handling, int number) {
    this.consumer = consumer;
    this.handling = handling;
    this.books = new Books(consumer.broker, consumer.time, consumer.reports);
    this.tools =
        new Handling.Tools(
            new HandlerCalls(consumer.time, consumer.reports, consumer.options),
            books,
            consumer.facts,
            consumer::isEnding);
    this.settling = new Settling(consumer.broker, consumer.time, consumer.reports);
    this.thread = new Thread(this, "holdfast-consume-" + consumer.options.queue + "-" + number);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  boolean isEnded() {
    return ended;
  }

  boolean isCurrentThread() {
    return thread.equals(Thread.currentThread());
  }

  @Override
  public void run() {
    try {
      // What others have taken of the limit is theirs to finish: so this ends itself alone.
      while (!consumer.isEnding() && !consumer.allowance.isSpent()) {
        try {
          step();
          backoff.reset();
        } catch (RuntimeException trouble) {
          consumer.stillActive();
          retry(trouble, consumer::isEnding);
        } catch (Error error) {
          LOG.error("A worker of queue {} failed; it goes on.", consumer.options.queue, error);
          retry(new IllegalStateException("a worker failed", error), consumer::isEnding);
        }
      }
      flush();
    } finally {
      ended = true;
      consumer.workerEnded();
    }
  }

  private void retry(RuntimeException trouble, BooleanSupplier unless) {
    Duration wait = backoff.next();
    consumer.reports.retrying(trouble, wait);
    pause(unless, consumer.time.nanos() + wait.toNanos());
  }

  private void pause(BooleanSupplier unless, long untilNanos) {
    try {
      consumer.signal.await(unless, untilNanos);
    } catch (InterruptedException late) {
      // A wake-up that was meant for a pop: whoever sent it has also changed what is looked at.
    }
  }

  /** One pop and what follows from it. */
  private void step() {
    int wanted = consumer.allowance.reserve(consumer.options.batch);
    if (wanted == 0) {
      awaitAllowance();
      return;
    }
    int came = 0;
    HeldLease lease = null;
    try {
      lease = pop(wanted);
      came = lease.messages.size();
    } finally {
      consumer.allowance.used(wanted, came);
      consumer.signal.tell();
    }
    if (came > 0) {
      handle(lease);
    } else if (books.outbox().isEmpty()) {
      consumer.endIfIdle();
    }
  }

  private void awaitAllowance() {
    books.outbox().send(consumer.broker);
    pause(
        () ->
            consumer.isEnding() || consumer.allowance.isAvailable() || consumer.allowance.isSpent(),
        consumer.signal.never());
  }

  private HeldLease pop(int wanted) {
    Outbox outbox = books.outbox();
    Outbox.Parcel parcel = outbox.next();
    long leaseMs = leaseMs();
    PopRequest request =
        consumer
            .options
            .pop()
            .batch(wanted)
            .leaseMs(leaseMs)
            .waitMs(parcel.isEmpty() ? waitMs() : 0)
            .settles(parcel.settles());
    long asked = consumer.time.nanos();
    Popped popped = ask(request);
    outbox.answered(parcel, popped.settled());
    consumer.reports.delivered(popped.messages().size());
    long endNanos = asked + Duration.ofMillis(leaseMs).toNanos();
    return new HeldLease(popped, leaseMs, endNanos, consumer.options.ackMode, settling);
  }

  private long leaseMs() {
    if (consumer.options.ackMode == AckMode.AT_DELIVERY) {
      return 0;
    }
    long queueMs = consumer.facts.leaseMs();
    Duration own = consumer.options.leaseTime;
    return own == null ? queueMs : own.toMillis();
  }

  private long waitMs() {
    long idleMs = consumer.idleLeft(POP_WAIT).toMillis() + 1;
    return Math.min(Limits.WAIT_MS_MAX, Math.min(POP_WAIT.toMillis(), idleMs));
  }

  private Popped ask(PopRequest request) {
    Result<Popped> result;
    if (!beginWait(request.waitMs() > 0)) {
      // It would have waited, but there is no time for that any more.
      return ask(request.waitMs(0));
    }
    try {
      result = consumer.broker.pop(request);
    } catch (RuntimeException failed) {
      if (request.waitMs() > 0 && consumer.isEnding()) {
        // Its wait was cut short, which a broker elsewhere tells like this.
        return NOTHING;
      }
      throw failed;
    } finally {
      endWait();
    }
    if (!result.isOk()) {
      throw new RefusedException(result.refusal());
    }
    return result.orThrow();
  }

  private synchronized boolean beginWait(boolean waits) {
    if (waits && consumer.isEnding()) {
      return false;
    }
    waiting = waits;
    return true;
  }

  private synchronized void endWait() {
    waiting = false;
    Thread.interrupted();
  }

  /** The consumer is ending: a pop need not wait any longer. */
  synchronized void wake() {
    if (waiting) {
      thread.interrupt();
    }
  }

  private void handle(HeldLease lease) {
    held = lease;
    consumer.began();
    if (lease.exists()) {
      consumer.renewals.begin(lease);
    }
    books.open();
    try {
      if (abandoned) {
        // The stop looked before this lease was here: it goes back like all that was not begun.
        return;
      }
      handling.handle(lease, tools);
    } finally {
      consumer.renewals.end(lease);
      books.close(lease);
      held = null;
      consumer.done();
    }
  }

  /** Sends what is left, for as long as the consumer may take to end. */
  private void flush() {
    long deadline = consumer.time.nanos() + consumer.options.drain.toNanos();
    Outbox outbox = books.outbox();
    while (!outbox.isEmpty()) {
      try {
        outbox.send(consumer.broker);
      } catch (RuntimeException trouble) {
        if (abandoned || consumer.time.nanos() - deadline >= 0) {
          consumer.reports.unsent(outbox.size(), trouble);
          return;
        }
        retry(trouble, () -> abandoned);
      }
    }
  }

  /**
   * Nobody waits for this worker any longer: its handler is interrupted, and what it holds goes
   * back.
   *
   * @return what the broker has to be told
   */
  Outbox abandon() {
    abandoned = true;
    return books.abandon(held);
  }
}
