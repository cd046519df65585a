package io.holdfast.client.consume;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.client.LeaseRenewals;
import io.holdfast.client.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A running consumer.
 *
 * <p>It runs until it is stopped, or until its limit or its idle time is reached; a broker that
 * does not answer does not end it.
 *
 * <p>Thread: any; the handler runs in the consumer's own threads, which are daemons.
 */
public final class Consumer implements AutoCloseable {
  /** Of the time that a stop may take, this share is kept for giving back what is not done. */
  private static final int RELEASE_SHARE = 5;

  private static final Duration RELEASE_MAX = Duration.ofSeconds(2);

  final Broker broker;
  final TimeSource time;
  final ConsumerOptions options;
  final Reports reports;
  final QueueFacts facts;
  final Allowance allowance;
  final LeaseRenewals renewals;
  final Signal signal;
  private final List<Worker> workers = new ArrayList<>();
  private volatile boolean ending;
  private volatile boolean over;
  private int busy;
  private long activeNanos;

  private Consumer(Broker broker, TimeSource time, ConsumerOptions options, Handling handling) {
    this.broker = broker;
    this.time = time;
    this.options = options;
    this.reports = new Reports(options.id(), options.listeners);
    this.facts = new QueueFacts(broker, time, options.queue);
    this.allowance = new Allowance(options.limit);
    this.signal = new Signal(time);
    this.activeNanos = time.nanos();
    this.renewals =
        new LeaseRenewals(broker, time, options.queue, options.renew, options.renewEvery);
    for (int i = 0; i < options.concurrency; i++) {
      workers.add(new Worker(this, handling, i));
    }
  }

  static Consumer start(
      Broker broker, TimeSource time, ConsumerOptions options, Handling handling) {
    Consumer consumer = new Consumer(broker, time, options, handling);
    consumer.workers.forEach(Worker::start);
    return consumer;
  }

  /** Whether it takes messages, or still handles some. */
  public boolean isRunning() {
    return !isOver();
  }

  /** What it has done so far. */
  public ConsumerCounts counts() {
    return reports.counts();
  }

  /** Waits until it has ended. */
  public void join() throws InterruptedException {
    signal.await(this::isOver, signal.never());
  }

  /**
   * Waits until it has ended, but not longer than so long.
   *
   * @return whether it has ended
   */
  public boolean await(Duration atMost) throws InterruptedException {
    return signal.await(this::isOver, time.nanos() + atMost.toNanos());
  }

  /** Stops within the time that {@link ConsumerSetup#drain} said. */
  @Override
  public void close() {
    stop(options.drain);
  }

  /**
   * Takes no more messages, lets running handlers finish, gives back what they have not begun, and
   * sends the acks. Handlers that are not done shortly before the deadline are interrupted, and
   * what they hold goes back.
   *
   * <p>A handler that stops its own consumer does not wait for itself: this returns at once.
   *
   * @return whether everything was finished in time
   */
  public boolean stop(Duration deadline) {
    long end = time.nanos() + deadline.toNanos();
    finish();
    if (workers.stream().anyMatch(Worker::isCurrentThread)) {
      return false;
    }
    long reserve = Math.min(deadline.toNanos() / RELEASE_SHARE, RELEASE_MAX.toNanos());
    if (awaitUnlessInterrupted(end - reserve)) {
      return true;
    }
    Thread release = new Thread(this::abandonAll, "holdfast-release-" + options.queue);
    release.setDaemon(true);
    release.start();
    awaitUnlessInterrupted(end);
    end();
    return false;
  }

  private boolean awaitUnlessInterrupted(long deadlineNanos) {
    try {
      return signal.await(this::isOver, deadlineNanos);
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
      return isOver();
    }
  }

  private void abandonAll() {
    // All are interrupted before the first call of the broker, which may take its time.
    List<Outbox> rests = workers.stream().map(Worker::abandon).toList();
    for (Outbox rest : rests) {
      try {
        rest.send(broker);
      } catch (RuntimeException failed) {
        reports.unsent(rest.size(), failed);
      }
    }
    end();
  }

  private boolean isOver() {
    return over;
  }

  private void end() {
    over = true;
    renewals.close();
    signal.tell();
  }

  // What its workers ask and tell

  boolean isEnding() {
    return ending;
  }

  /** No more messages are taken; each worker ends when it has finished what it holds. */
  void finish() {
    ending = true;
    signal.tell();
    workers.forEach(Worker::wake);
  }

  void workerEnded() {
    if (workers.stream().allMatch(Worker::isEnded)) {
      end();
    }
  }

  synchronized void began() {
    busy++;
  }

  synchronized void done() {
    busy--;
    activeNanos = time.nanos();
  }

  /** What just happened says nothing about whether there are messages. */
  synchronized void stillActive() {
    activeNanos = time.nanos();
  }

  /** How much longer nothing may come; the default if it may for ever. */
  synchronized Duration idleLeft(Duration byDefault) {
    if (options.idle == null) {
      return byDefault;
    }
    if (busy > 0) {
      return options.idle;
    }
    Duration left = options.idle.minusNanos(time.nanos() - activeNanos);
    return left.isNegative() ? Duration.ZERO : left;
  }

  void endIfIdle() {
    boolean idle;
    synchronized (this) {
      idle = options.idle != null && busy == 0 && idleLeft(Duration.ZERO).isZero();
    }
    if (idle) {
      finish();
    }
  }
}
