package io.holdfast.client;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.client.consume.BatchHandler;
import io.holdfast.client.consume.Consumer;
import io.holdfast.client.consume.ConsumerListener;
import io.holdfast.client.consume.ConsumerSetup;
import io.holdfast.client.consume.HeldMessage;
import io.holdfast.client.consume.MessageHandler;
import io.holdfast.client.produce.BufferOptions;
import io.holdfast.client.produce.Outgoing;
import io.holdfast.client.produce.PushBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A queue by its name, or one partition of it: where every push and every consumer begins.
 *
 * <p>Whatever says how to consume goes on as a {@link ConsumerSetup}.
 *
 * <p>Thread: any; immutable.
 */
public final class NamedQueue {
  private final Broker broker;
  private final TimeSource time;
  private final String queue;
  private final @Nullable String partition;

  NamedQueue(Broker broker, TimeSource time, String queue) {
    this(broker, time, queue, null);
  }

  private NamedQueue(Broker broker, TimeSource time, String queue, @Nullable String partition) {
    this.broker = broker;
    this.time = time;
    this.queue = queue;
    this.partition = partition;
  }

  /**
   * One partition: pushes go there, consumers take only from there. Without it pushes go to the
   * default partition, and consumers take from all.
   */
  public NamedQueue partition(String name) {
    return new NamedQueue(broker, time, queue, name);
  }

  // Pushing

  /** Pushes a text, as UTF-8. Over HTTP it should be JSON. */
  public PushedMessage push(String text) {
    return push(Outgoing.text(text));
  }

  public PushedMessage push(byte[] payload) {
    return push(Outgoing.bytes(payload));
  }

  /** Pushes a message with a name, a delay, a priority or headers. */
  public PushedMessage push(Outgoing message) {
    return push(List.of(message)).messages().get(0);
  }

  /**
   * Pushes messages, all or none, duplicates aside.
   *
   * @throws io.holdfast.api.RefusedException if the broker says no
   * @throws io.holdfast.api.UnreachableException if it cannot be asked
   */
  public Pushed push(List<Outgoing> messages) {
    String to = partition == null ? NewMessage.DEFAULT_PARTITION : partition;
    List<NewMessage> all = messages.stream().map(message -> message.to(queue, to)).toList();
    return broker.push(PushRequest.of(all)).orThrow();
  }

  /** A buffer that pushes when it has so many messages, or when the first has waited so long. */
  public PushBuffer buffer(int count, Duration linger) {
    return buffer(BufferOptions.of(count, linger));
  }

  public PushBuffer buffer(BufferOptions options) {
    String to = partition == null ? NewMessage.DEFAULT_PARTITION : partition;
    return new PushBuffer(broker, time, queue, to, options);
  }

  // Consuming

  private ConsumerSetup<BatchHandler> consuming() {
    ConsumerSetup<BatchHandler> setup = ConsumerSetup.of(broker, time, queue);
    return partition == null ? setup : setup.partition(partition);
  }

  /** See {@link ConsumerSetup#group}. */
  public ConsumerSetup<BatchHandler> group(String name) {
    return consuming().group(name);
  }

  /** See {@link ConsumerSetup#batch}. */
  public ConsumerSetup<BatchHandler> batch(int count) {
    return consuming().batch(count);
  }

  /** See {@link ConsumerSetup#partitions}. */
  public ConsumerSetup<BatchHandler> partitions(int count) {
    return consuming().partitions(count);
  }

  /** See {@link ConsumerSetup#each}. */
  public ConsumerSetup<MessageHandler> each() {
    return consuming().each();
  }

  /** See {@link ConsumerSetup#concurrency}. */
  public ConsumerSetup<BatchHandler> concurrency(int workers) {
    return consuming().concurrency(workers);
  }

  /** See {@link ConsumerSetup#limit}. */
  public ConsumerSetup<BatchHandler> limit(long messages) {
    return consuming().limit(messages);
  }

  /** See {@link ConsumerSetup#idle}. */
  public ConsumerSetup<BatchHandler> idle(Duration time) {
    return consuming().idle(time);
  }

  /** See {@link ConsumerSetup#subscriptionMode}. */
  public ConsumerSetup<BatchHandler> subscriptionMode(StartFrom start) {
    return consuming().subscriptionMode(start);
  }

  /** See {@link ConsumerSetup#subscriptionFrom}. */
  public ConsumerSetup<BatchHandler> subscriptionFrom(Instant start) {
    return consuming().subscriptionFrom(start);
  }

  /** See {@link ConsumerSetup#leaseTime}. */
  public ConsumerSetup<BatchHandler> leaseTime(Duration length) {
    return consuming().leaseTime(length);
  }

  /** See {@link ConsumerSetup#renewLease}. */
  public ConsumerSetup<BatchHandler> renewLease(Duration every) {
    return consuming().renewLease(every);
  }

  /** See {@link ConsumerSetup#withoutRenewal}. */
  public ConsumerSetup<BatchHandler> withoutRenewal() {
    return consuming().withoutRenewal();
  }

  /** See {@link ConsumerSetup#prefetch}. */
  public ConsumerSetup<BatchHandler> prefetch(boolean on) {
    return consuming().prefetch(on);
  }

  /** See {@link ConsumerSetup#ackAfterHandler}. */
  public ConsumerSetup<BatchHandler> ackAfterHandler() {
    return consuming().ackAfterHandler();
  }

  /** See {@link ConsumerSetup#ackByHand}. */
  public ConsumerSetup<BatchHandler> ackByHand() {
    return consuming().ackByHand();
  }

  /** See {@link ConsumerSetup#ackAtDelivery}. */
  public ConsumerSetup<BatchHandler> ackAtDelivery() {
    return consuming().ackAtDelivery();
  }

  /** See {@link ConsumerSetup#onSuccess}. */
  public ConsumerSetup<BatchHandler> onSuccess(java.util.function.Consumer<HeldMessage> callback) {
    return consuming().onSuccess(callback);
  }

  /** See {@link ConsumerSetup#onError}. */
  public ConsumerSetup<BatchHandler> onError(BiConsumer<HeldMessage, Throwable> callback) {
    return consuming().onError(callback);
  }

  /** See {@link ConsumerSetup#listener}. */
  public ConsumerSetup<BatchHandler> listener(ConsumerListener listener) {
    return consuming().listener(listener);
  }

  /** See {@link ConsumerSetup#drain}. */
  public ConsumerSetup<BatchHandler> drain(Duration deadline) {
    return consuming().drain(deadline);
  }

  /** See {@link ConsumerSetup#worker}. */
  public ConsumerSetup<BatchHandler> worker(String name) {
    return consuming().worker(name);
  }

  /** See {@link ConsumerSetup#waitFor}. */
  public ConsumerSetup<BatchHandler> waitFor(Duration time) {
    return consuming().waitFor(time);
  }

  /** See {@link ConsumerSetup#consume}. */
  public Consumer consume(BatchHandler handler) {
    return consuming().consume(handler);
  }

  /** See {@link ConsumerSetup#pop}. */
  public List<HeldMessage> pop() {
    return consuming().pop();
  }

  /** See {@link ConsumerSetup#take}. */
  public Optional<HeldMessage> take() {
    return consuming().take();
  }
}
