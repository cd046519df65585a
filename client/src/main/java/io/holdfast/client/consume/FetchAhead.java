package io.holdfast.client.consume;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the next batch of a worker while one is handled, with the acks of the batch before.
 *
 * <p>It fetches only while pops come back full, so that a queue with little in it is not asked in
 * vain. Unless the application has decided, it fetches where delivery is shared, leases are not
 * short, and the handler takes longer than a pop, but not so long that other consumers should have
 * the messages. In an ordered partition the batch joins the lease of the one that is handled. If
 * something of that one has to be tried again, what was fetched behind it goes back, uncharged.
 *
 * <p>Invariant: at most one batch is here. While something goes on here, nobody else sends what is
 * in the outbox.
 *
 * <p>Thread: its worker; it fetches in a thread of its own; {@link #abandon} any.
 */
final class FetchAhead implements AutoCloseable {
  /** Of shorter leases, messages that wait would use up too much. */
  static final Duration LEASE_MIN = Duration.ofSeconds(10);

  /** Messages do not wait for a handler that takes longer, if another consumer may have time. */
  static final Duration HANDLER_MAX = Duration.ofSeconds(1);

  private final Consumer consumer;
  private final Books books;
  private final Intake intake;
  private final Beside beside;
  private volatile @Nullable HeldBatch fetched;

  /** Whether the last pop that did not wait came back full. */
  private volatile boolean plenty;

  private volatile boolean abandoned;

  /** How long the last pop that did not wait took, and the last call of the handler. */
  private volatile long popNanos;

  private long handlerNanos;

  FetchAhead(Consumer consumer, Books books, Intake intake, Beside beside) {
    this.consumer = consumer;
    this.books = books;
    this.intake = intake;
    this.beside = beside;
  }

  /** The worker itself has popped. */
  void popped(PopRequest request, Popped popped, long nanos) {
    plenty = request.waitMs() == 0 && popped.messages().size() == request.batch();
    if (request.waitMs() == 0) {
      popNanos = nanos;
    }
  }

  /** A batch was handled. */
  void handled(long nanos) {
    handlerNanos = nanos;
  }

  boolean hasBatch() {
    return fetched != null;
  }

  /** What was fetched, if anything was. */
  @Nullable HeldBatch take() {
    HeldBatch batch = fetched;
    fetched = null;
    return batch;
  }

  /** A batch is about to be handled: fetches the one after it, or at least sends the acks. */
  void begin(HeldBatch batch) {
    if (plenty
        && !consumer.isEnding()
        && consumer.options.mayPrefetch()
        && isWanted(batch)
        && begin(batch, consumer.facts.isOrdered())) {
      return;
    }
    if (!books.outbox().isEmpty()) {
      beside.begin(() -> books.outbox().send(consumer.broker));
    }
  }

  private boolean isWanted(HeldBatch batch) {
    Boolean decided = consumer.options.prefetch;
    return decided != null
        ? decided
        : handlerNanos > popNanos
            && handlerNanos <= HANDLER_MAX.toNanos()
            && batch.lease.length().compareTo(LEASE_MIN) >= 0
            && !consumer.facts.isOrdered();
  }

  private boolean begin(HeldBatch batch, boolean join) {
    int wanted = consumer.allowance.reserve(consumer.options.batch);
    if (wanted > 0 && (!join || batch.lease.beginJoin())) {
      beside.begin(() -> fetch(batch, wanted, join));
      return true;
    }
    consumer.allowance.used(wanted, 0);
    return false;
  }

  private void fetch(HeldBatch batch, int wanted, boolean join) {
    int came = 0;
    plenty = false;
    try {
      long asked = consumer.time.nanos();
      HeldBatch next = intake.takeAfter(batch, wanted, join);
      popNanos = consumer.time.nanos() - asked;
      if (next != null) {
        came = next.messages.size();
        plenty = came == wanted;
        consumer.renewals.begin(next.lease);
        fetched = next;
        if (abandoned) {
          // The stop looked before it was here, and the handler may never return.
          books.abandon(null, next).send(consumer.broker);
        }
      }
    } finally {
      consumer.allowance.used(wanted, came);
      consumer.signal.tell();
    }
  }

  /** A batch was handled, but is not settled: what was fetched behind it may have to go back. */
  void finish(HeldBatch handled) {
    beside.await();
    HeldBatch next = fetched;
    if (next == null || !consumer.facts.failureBlocks()) {
      return;
    }
    consumer.allowance.giveBack(books.giveBack(next, handled.unfinished()));
    consumer.signal.tell();
    if (!next.isWanted()) {
      letGo();
    }
  }

  /** What was fetched and will not be handled goes back. */
  void letGo() {
    HeldBatch next = take();
    if (next != null) {
      books.close(next);
      consumer.renewals.endUnlessWanted(next.lease);
    }
  }

  /** Throws what went wrong here, once. */
  void check() {
    beside.check();
  }

  /** Nobody waits for the worker any longer; answers what was fetched and not begun. */
  @Nullable HeldBatch abandon() {
    abandoned = true;
    return fetched;
  }

  @Override
  public void close() {
    beside.close();
  }
}
