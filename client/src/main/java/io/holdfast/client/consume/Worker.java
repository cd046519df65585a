package io.holdfast.client.consume;

import io.holdfast.api.Limits;
import io.holdfast.api.RefusedException;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
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
 * <p>If {@link FetchAhead} decides so, the next batch is fetched while one is handled, with the
 * acks of the one before. In an ordered partition it joins the lease, and it goes back unseen if
 * something before it has to be tried again.
 *
 * <p>A pop that carries settles does not wait for messages: so their verdicts come at once, and
 * only a pop that has nothing to say stays with the broker. A broker that does not answer is asked
 * again, later each time, for as long as the consumer runs.
 *
 * <p>Invariant: the thread is interrupted only while it waits in a pop or is in the handler. At
 * most one batch waits while another is handled, and while one is fetched nobody else sends.
 *
 * <p>Thread: its own, and one beside it; {@link #wake} and {@link #abandon} any.
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
  private final Intake intake;
  private final FetchAhead ahead;
  private final Backoff backoff = new Backoff(RETRY_FIRST, RETRY_MAX);
  private final Thread thread;
  private volatile boolean abandoned;
  private volatile boolean ended;
  private volatile @Nullable HeldBatch held;
  private boolean waiting;

  Worker(Consumer consumer, Handling handling, int number) {
    this.consumer = consumer;
    this.handling = handling;
    String name = "holdfast-consume-" + consumer.options.queue + "-" + number;
    Beside beside = new Beside(name + "-ahead");
    this.books = new Books(consumer.broker, consumer.time, consumer.reports, beside::isBusy);
    this.intake = new Intake(consumer, books.outbox());
    this.ahead = new FetchAhead(consumer, books, intake, beside);
    this.tools =
        new Handling.Tools(
            new HandlerCalls(consumer.time, consumer.reports, consumer.options),
            books,
            consumer.facts,
            consumer::isEnding);
    this.thread = new Thread(this, name);
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
      while (!consumer.isEnding() && (ahead.hasBatch() || !consumer.allowance.isSpent())) {
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
      ahead.letGo();
      flush();
    } finally {
      ahead.close();
      ended = true;
      consumer.workerEnded();
    }
  }

  private void retry(RuntimeException trouble, BooleanSupplier unless) {
    Duration wait = backoff.next();
    long untilNanos = consumer.time.nanos() + wait.toNanos();
    consumer.reports.retrying(trouble, wait);
    pause(unless, untilNanos);
  }

  private void pause(BooleanSupplier unless, long untilNanos) {
    try {
      consumer.signal.await(unless, untilNanos);
    } catch (InterruptedException late) {
      // A wake-up that was meant for a pop: whoever sent it has also changed what is looked at.
    }
  }

  /** One batch, fetched already or popped now, and what follows from it. */
  private void step() {
    HeldBatch batch = ahead.take();
    if (batch != null) {
      handle(batch);
      return;
    }
    ahead.check();
    int wanted = consumer.allowance.reserve(consumer.options.batch);
    if (wanted == 0) {
      awaitAllowance();
      return;
    }
    int came = 0;
    try {
      batch = intake.take(wanted, waitMs(), this::ask);
      came = batch.messages.size();
    } finally {
      consumer.allowance.used(wanted, came);
      consumer.signal.tell();
    }
    if (came > 0) {
      handle(batch);
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

  private long waitMs() {
    long idleMs = consumer.idleLeft(POP_WAIT).toMillis() + 1;
    return Math.min(Limits.WAIT_MS_MAX, Math.min(POP_WAIT.toMillis(), idleMs));
  }

  private Popped ask(PopRequest request) {
    if (!beginWait(request.waitMs() > 0)) {
      // It would have waited, but there is no time for that any more.
      return ask(request.waitMs(0));
    }
    try {
      long asked = consumer.time.nanos();
      Popped popped = intake.ask(request);
      ahead.popped(request, popped, consumer.time.nanos() - asked);
      return popped;
    } catch (RefusedException refused) {
      throw refused;
    } catch (RuntimeException failed) {
      if (request.waitMs() > 0 && consumer.isEnding()) {
        // Its wait was cut short, which a broker elsewhere tells like this.
        return NOTHING;
      }
      throw failed;
    } finally {
      endWait();
    }
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

  private void handle(HeldBatch batch) {
    held = batch;
    consumer.began();
    if (batch.lease.exists()) {
      consumer.renewals.begin(batch.lease);
    }
    try {
      if (abandoned) {
        // The stop looked before this batch was here: it goes back like all that was not begun.
        return;
      }
      ahead.begin(batch);
      books.open();
      long begun = consumer.time.nanos();
      handling.handle(batch, tools);
      ahead.handled(consumer.time.nanos() - begun);
    } finally {
      ahead.finish(batch);
      books.close(batch);
      consumer.renewals.endUnlessWanted(batch.lease);
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
        if (abandoned) {
          // Whoever did that has what is left, and tells of it.
          return;
        }
        if (consumer.time.nanos() - deadline >= 0) {
          consumer.reports.unsent(outbox.abandon().size(), trouble);
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
    HeldBatch fetched = ahead.abandon();
    return books.abandon(held, fetched);
  }
}
