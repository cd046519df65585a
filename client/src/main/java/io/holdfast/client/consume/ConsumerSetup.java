package io.holdfast.client.consume;

import static io.holdfast.client.Bounds.positive;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.lease.Popped;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * How to consume a queue; every method but the last of a chain answers a changed copy.
 *
 * <p>Thread: any; immutable.
 *
 * @param <H> the handler it takes: of batches, or after {@link #each} of messages
 */
public final class ConsumerSetup<H> {
  private static final int CONCURRENCY_MAX = 1_000;

  private final Broker broker;
  private final TimeSource time;
  private final ConsumerOptions options;
  private final Function<H, Handling> handling;

  private ConsumerSetup(
      Broker broker, TimeSource time, ConsumerOptions options, Function<H, Handling> handling) {
    this.broker = broker;
    this.time = time;
    this.options = options;
    this.handling = handling;
  }

  public static ConsumerSetup<BatchHandler> of(Broker broker, TimeSource time, String queue) {
    return new ConsumerSetup<>(broker, time, new ConsumerOptions(queue), Handling.Batch::new)
        .checked();
  }

  private ConsumerSetup<H> with(Consumer<ConsumerOptions> change) {
    ConsumerOptions copy = options.copy();
    change.accept(copy);
    return new ConsumerSetup<>(broker, time, copy, handling).checked();
  }

  /** Names and numbers that no pop may have are refused where they are said. */
  private ConsumerSetup<H> checked() {
    options.pop().waitMs(options.waitFor.toMillis());
    return this;
  }

  // What to take

  /** Only from one partition. */
  public ConsumerSetup<H> partition(String name) {
    return with(copy -> copy.partition = name);
  }

  /**
   * As which group: every group gets every message. Without one, all consumers that name none share
   * the messages.
   */
  public ConsumerSetup<H> group(String name) {
    return with(copy -> copy.group = name);
  }

  /** The most messages of one pop, 1 if nothing is said: they have one lease. */
  public ConsumerSetup<H> batch(int count) {
    return with(copy -> copy.batch = count);
  }

  /** The most partitions that one pop takes from, 1 if nothing is said. */
  public ConsumerSetup<H> partitions(int count) {
    return with(copy -> copy.partitions = count);
  }

  /** Where a new group begins: {@link StartFrom#ALL}, which is the default, or NEW. */
  public ConsumerSetup<H> subscriptionMode(StartFrom start) {
    return with(copy -> copy.start = start);
  }

  /** A new group begins with what entered the queue at that time or later. */
  public ConsumerSetup<H> subscriptionFrom(Instant start) {
    return subscriptionMode(new StartFrom.Time(start.toEpochMilli()));
  }

  /**
   * How long messages are held without a sign of life; the queue's {@code leaseTime} if not said.
   */
  public ConsumerSetup<H> leaseTime(Duration length) {
    positive("leaseTime", length);
    return with(copy -> copy.leaseTime = length);
  }

  /** A name for this consumer, kept with what fails. */
  public ConsumerSetup<H> worker(String name) {
    return with(copy -> copy.worker = name);
  }

  // How to handle it

  /**
   * The handler gets one message at a time. It does not see the messages behind one that failed, if
   * their partition is ordered: those go back, uncharged, and come again after it.
   */
  public ConsumerSetup<MessageHandler> each() {
    return new ConsumerSetup<>(broker, time, options, Handling.Each::new);
  }

  /** How many threads pop and handle at a time, 1 if nothing is said. */
  public ConsumerSetup<H> concurrency(int workers) {
    if (workers < 1 || workers > CONCURRENCY_MAX) {
      throw new IllegalArgumentException(
          "concurrency: expected 1 to " + CONCURRENCY_MAX + ", but got " + workers);
    }
    return with(copy -> copy.concurrency = workers);
  }

  /** Ends after so many messages. */
  public ConsumerSetup<H> limit(long messages) {
    if (messages < 1) {
      throw new IllegalArgumentException("limit: expected 1 or more, but got " + messages);
    }
    return with(copy -> copy.limit = messages);
  }

  /** Ends when the broker has had no messages for so long. Time without a broker does not count. */
  public ConsumerSetup<H> idle(Duration time) {
    positive("idle", time);
    return with(copy -> copy.idle = time);
  }

  /**
   * The lease is renewed so often while its messages are handled; each third of it if not said, and
   * each half of it at least.
   */
  public ConsumerSetup<H> renewLease(Duration every) {
    positive("renewLease", every);
    return with(
        copy -> {
          copy.renew = true;
          copy.renewEvery = every;
        });
  }

  /**
   * Whether the next batch is fetched while one is handled, so that the handler need not wait for
   * it. By default it is, where delivery is shared, the lease is 10 s or longer, and the handler of
   * the batch before took longer than a pop and at most a second. In an ordered partition the batch
   * joins the lease of the one before.
   *
   * <p>It is never done with {@link #ackByHand}, {@link #ackAtDelivery} or {@link #withoutRenewal}.
   */
  public ConsumerSetup<H> prefetch(boolean on) {
    return with(copy -> copy.prefetch = on);
  }

  /** The lease is not renewed: a handler that takes longer loses it. */
  public ConsumerSetup<H> withoutRenewal() {
    return with(copy -> copy.renew = false);
  }

  /** Messages are acked when the handler has returned from them; this is the default. */
  public ConsumerSetup<H> ackAfterHandler() {
    return with(copy -> copy.ackMode = AckMode.AFTER_HANDLER);
  }

  /** Messages are acked by the application: {@link HeldMessage#ack}. */
  public ConsumerSetup<H> ackByHand() {
    return with(copy -> copy.ackMode = AckMode.BY_HAND);
  }

  /** Messages are acked before the handler sees them: what fails then is lost. */
  public ConsumerSetup<H> ackAtDelivery() {
    return with(copy -> copy.ackMode = AckMode.AT_DELIVERY);
  }

  /**
   * Called for each message when the handler has returned. If it throws, the message has failed.
   */
  public ConsumerSetup<H> onSuccess(Consumer<HeldMessage> callback) {
    return with(copy -> copy.onSuccess = callback);
  }

  /** Called for each message that failed, with what was thrown, before it is nacked. */
  public ConsumerSetup<H> onError(BiConsumer<HeldMessage, Throwable> callback) {
    return with(copy -> copy.onError = callback);
  }

  /** Tells somebody what happens; may be called more than once. */
  public ConsumerSetup<H> listener(ConsumerListener listener) {
    return with(
        copy -> {
          List<ConsumerListener> more = new ArrayList<>(copy.listeners);
          more.add(listener);
          copy.listeners = more;
        });
  }

  /** How long {@link io.holdfast.client.consume.Consumer#close} may take; 30 s if not said. */
  public ConsumerSetup<H> drain(Duration deadline) {
    positive("drain", deadline);
    return with(copy -> copy.drain = deadline);
  }

  // The end of a chain

  /** Begins to consume, in threads of its own. */
  public io.holdfast.client.consume.Consumer consume(H handler) {
    return io.holdfast.client.consume.Consumer.start(
        broker, time, options, handling.apply(handler));
  }

  /** For {@link #pop} and {@link #take}: how long to wait for the first message. */
  public ConsumerSetup<H> waitFor(Duration time) {
    return with(copy -> copy.waitFor = time);
  }

  /**
   * Takes up to a batch of messages, once. Nobody renews their lease; each has to be settled by
   * hand, unless {@link #ackAtDelivery} was said.
   */
  public List<HeldMessage> pop() {
    long asked = time.nanos();
    Popped popped = broker.pop(options.pop().waitMs(options.waitFor.toMillis())).orThrow();
    // The lease begins when there is something to lease, not when the wait for it does.
    long begunNanos = options.waitFor.isZero() ? asked : time.nanos();
    Duration length = options.leaseTime;
    // The length of the queue's own leases is not known here, so the clock cannot tell their end.
    long endNanos = begunNanos + (length == null ? Long.MAX_VALUE / 2 : length.toNanos());
    Reports reports = new Reports(options.id(), options.listeners);
    reports.delivered(popped.messages().size());
    Settling settling = new Settling(broker, time, reports);
    return new HeldLease(
            popped.leaseId(), length == null ? Duration.ZERO : length, endNanos, time, reports)
        .add(popped, options.ackMode, settling)
        .messages;
  }

  /** Takes one message, once: see {@link #pop}. */
  public Optional<HeldMessage> take() {
    return batch(1).pop().stream().findFirst();
  }
}
