package io.holdfast.client.acks;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.queue.QueueInfo;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls one queue and hands what comes to a handler.
 *
 * <p>When polls fail it tries again, waiting longer each time. After {@code reconnectLimit} of them
 * it counts as disconnected: its batch of acks is dropped and reported, and it looks for its queue
 * until the broker answers. Then it goes on.
 *
 * <p>Thread: its worker's; any may stop it.
 */
final class Subscription {
  private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);

  /** The rules of the queue are asked for again after this long. */
  private static final long RULES_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

  private final Broker broker;
  private final AckClientConfig config;
  private final TimeSource time;
  private final Topic topic;
  private final String subId;
  private final SubscribeOptions options;
  private final IntSupplier ackBatchSize;
  private final Runnable atEnd;
  private final Worker worker;
  private final Outbox outbox;
  private final Dispatcher dispatcher;
  private final Failures failures;
  private QueueRules rules = QueueRules.UNKNOWN;
  private long rulesNanos;
  private volatile boolean connected = true;
  private volatile boolean flushAtEnd;

  Subscription(
      AckClient client,
      Topic topic,
      String subId,
      SubscribeOptions options,
      MessageHandler handler) {
    this.broker = client.broker();
    this.config = client.config();
    this.time = config.time();
    this.topic = topic;
    this.subId = subId;
    this.options = options;
    this.ackBatchSize = client::ackBatchSize;
    this.atEnd = () -> client.ended(subId, this);
    this.failures = new Failures(config);
    this.worker =
        new Worker("holdfast-" + config.name() + "-" + subId, time, this::run, this::letGo);
    this.outbox =
        new Outbox(
            client.buffer(),
            new AckBuffer.Key(topic.text(), subId),
            client.sender(),
            config.listener(),
            worker::wake);
    this.dispatcher = new Dispatcher(topic, subId, handler, client::autoAck, time, outbox);
  }

  Topic topic() {
    return topic;
  }

  Outbox outbox() {
    return outbox;
  }

  /** The application has nacked a message. */
  void failed(Bookmark bookmark) {
    dispatcher.failed(bookmark);
  }

  /**
   * Begins to poll.
   *
   * @throws RuntimeException if the broker cannot be asked
   */
  void start() {
    try {
      look();
    } catch (RuntimeException failure) {
      connected = false;
      worker.end();
      throw failure;
    }
    worker.start();
  }

  /** Lets it end; its batch is then sent or dropped. No further message is begun. */
  void stop(boolean flush) {
    if (!worker.isStopping()) {
      flushAtEnd = flush;
    }
    worker.stop();
  }

  /**
   * Waits until it has ended; a handler that has not by then is interrupted. False if the handler
   * itself calls this: it ends later.
   */
  boolean awaitEnd(long deadlineNanos) {
    return worker.awaitEnd(deadlineNanos);
  }

  private void letGo() {
    // A broker that is lost would only be waited for; the leases end by themselves.
    if (connected) {
      outbox.finish(flushAtEnd);
      outbox.giveBack();
    }
    atEnd.run();
  }

  private void run() {
    while (!worker.isStopping()) {
      if (connected) {
        step();
      } else {
        reconnect();
      }
    }
  }

  private void step() {
    RuntimeException failure = outbox.payDebts();
    if (failure == null && room() > 0) {
      failure = poll();
    } else if (failure == null) {
      failure = awaitRoom();
    }
    if (failure != null && !worker.isStopping()) {
      failed(failure);
    }
  }

  private int room() {
    return options.backlog() - outbox.holdings().size();
  }

  /** Sends its batch, then waits until something else is settled or a lease is over. */
  private @Nullable RuntimeException awaitRoom() {
    RuntimeException failure = outbox.flushByItself();
    if (failure == null) {
      Holdings holdings = outbox.holdings();
      worker.pauseUntil(holdings.nextEnd(time.nanos()), () -> room() > 0);
      if (room() <= 0) {
        holdings.forgetOver(time.nanos());
      }
    }
    return failure;
  }

  /** Polls once and handles what comes; the failure if there was one. */
  private @Nullable RuntimeException poll() {
    Result<Popped> answer;
    try {
      if (!rules.known() || time.nanos() - rulesNanos >= RULES_NANOS_MAX) {
        worker.interruptibly(this::look);
      }
      answer = worker.interruptibly(() -> broker.pop(request()));
    } catch (RuntimeException failure) {
      return failure;
    }
    if (answer == null) {
      return null;
    }
    if (!answer.isOk()) {
      return new RefusedException(answer.refusal());
    }
    failures.reset();
    Popped popped = answer.orThrow();
    if (!popped.isEmpty()) {
      handle(popped);
    }
    return null;
  }

  private PopRequest request() {
    int batch = options.batch() == 0 ? ackBatchSize.getAsInt() : options.batch();
    return PopRequest.of(topic.source(options.partition()))
        .group(options.group())
        .start(options.start())
        .batch(Math.max(1, Math.min(batch, room())))
        .leaseMs(leaseMs())
        .autoAck(options.settleAtDelivery())
        .worker(config.name() + "/" + subId)
        .waitMs(config.pollWait().toMillis());
  }

  /** The length of a lease is asked for, so that it is known; 0 only before there is a queue. */
  private long leaseMs() {
    if (!options.lease().isZero()) {
      return options.lease().toMillis();
    }
    return rules.known() ? rules.leaseMs() : 0;
  }

  private void handle(Popped popped) {
    long leaseMs = leaseMs() == 0 ? rules.leaseMs() : leaseMs();
    long overNanos = time.nanos() + TimeUnit.MILLISECONDS.toNanos(leaseMs);
    if (!popped.leaseId().isEmpty()) {
      outbox
          .holdings()
          .add(
              popped.messages().stream().map(next -> Bookmark.of(next.handle())).toList(),
              overNanos);
    }
    dispatcher.handle(popped, rules, overNanos, () -> !worker.isStopping(), worker::isForced);
  }

  /** Asks how the queue delivers. It need not be there: the first pop makes it. */
  private boolean look() {
    Result<QueueInfo> answer = broker.queue(topic.queue());
    if (answer.isOk()) {
      rules = QueueRules.of(answer.orThrow().options());
    } else if (answer.refusal().code() == ErrorCode.NOT_FOUND) {
      rules = QueueRules.UNKNOWN;
    } else {
      throw new RefusedException(answer.refusal());
    }
    rulesNanos = time.nanos();
    return true;
  }

  private void failed(RuntimeException failure) {
    failures.count(failure);
    if (failures.isPastLimit()) {
      connected = false;
      LOG.warn("Subscription {} is disconnected.", subId, failure);
      outbox.disconnect(failure);
    }
    backOff(failure);
  }

  private void backOff(RuntimeException failure) {
    Duration pause = failures.next();
    if (failures.isNew()) {
      LOG.warn("Subscription {} could not poll, and tries again.", subId, failure);
    }
    outbox.tell(told -> told.pollFailed(subId, failure, pause));
    worker.pauseUntil(time.nanos() + pause.toNanos(), () -> false);
  }

  private void reconnect() {
    try {
      if (worker.interruptibly(this::look) == null) {
        return;
      }
    } catch (RuntimeException failure) {
      failures.count(failure);
      backOff(failure);
      return;
    }
    LOG.info("Subscription {} is connected again.", subId);
    failures.reset();
    connected = true;
    outbox.tell(told -> told.reconnected(subId));
  }
}
