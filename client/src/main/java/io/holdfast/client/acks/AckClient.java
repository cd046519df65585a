package io.holdfast.client.acks;

import io.holdfast.api.Broker;
import io.holdfast.api.TimerThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Subscriptions to queues of a broker, with acks that are sent at once or gathered in batches.
 *
 * <p>With auto-ack on, a message is acked when its handler has returned and nacked when it threw.
 * Acks gather in a batch for each topic and subscription. A batch is sent as one request when it is
 * full, when its first ack has waited for the timeout, when all of an ordered lease is handled, and
 * by {@link #flushAcks}. With auto-ack off, the handler acks.
 *
 * <p>Closing it drops the batches; {@link #unsubscribeAll} before it sends them. The broker stays
 * open.
 *
 * <p>Thread: any. Each subscription has a thread, and one more sends the batches whose time is up.
 */
public final class AckClient implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AckClient.class);

  private final Broker broker;
  private final AckClientConfig config;
  private final AckSender sender;
  private final ExplicitAcks explicit;
  private final TimerThread timer;
  private final AckBuffer buffer;
  private final Map<String, Subscription> subscriptions = new ConcurrentHashMap<>();
  private volatile boolean autoAck;

  /** No more subscriptions; handlers that are at a message may still ack it. */
  private boolean closing;

  private volatile boolean closed;
  private long numbers;

  private AckClient(Broker broker, AckClientConfig config) {
    this.broker = broker;
    this.config = config;
    this.sender = new AckSender(broker);
    this.explicit = new ExplicitAcks(sender, subscriptions);
    this.timer =
        new TimerThread(
            config.time(),
            "holdfast-" + config.name() + "-timer",
            failure -> LOG.error("Flushing acks after their timeout failed", failure));
    this.buffer = new AckBuffer(config.time(), timer, this::flushDue);
  }

  public static AckClient on(Broker broker) {
    return on(broker, AckClientConfig.DEFAULTS);
  }

  public static AckClient on(Broker broker, AckClientConfig config) {
    return new AckClient(broker, config);
  }

  Broker broker() {
    return broker;
  }

  AckClientConfig config() {
    return config;
  }

  AckSender sender() {
    return sender;
  }

  AckBuffer buffer() {
    return buffer;
  }

  /** Acks what handlers have handled, and nacks what they threw at. Off at first. */
  public AckClient setAutoAck(boolean on) {
    autoAck = on;
    return this;
  }

  public boolean autoAck() {
    return autoAck;
  }

  /** A batch of so many acks is sent at once: 1 to 10,000. One at first. */
  public AckClient setAckBatchSize(int size) {
    buffer.batchSize(size);
    return this;
  }

  public int ackBatchSize() {
    return buffer.batchSize();
  }

  /** The longest the first ack of a batch waits. One second at first. */
  public AckClient setAckTimeout(Duration timeout) {
    buffer.timeout(timeout);
    return this;
  }

  public Duration ackTimeout() {
    return buffer.timeout();
  }

  /** Subscribes to a topic, {@code queue://} and a name, and returns the subscription's id. */
  public String subscribeAsync(MessageHandler handler, String topic) {
    return subscribeAsync(handler, topic, SubscribeOptions.DEFAULTS);
  }

  /**
   * Subscribes to a topic; the handler is called on a thread of its own, message by message.
   *
   * @return the subscription's id
   * @throws io.holdfast.api.UnreachableException if the broker does not answer
   * @throws io.holdfast.api.RefusedException if the broker refuses
   */
  public String subscribeAsync(MessageHandler handler, String topic, SubscribeOptions options) {
    Topic queue = Topic.parse(topic);
    Subscription subscription;
    String subId;
    synchronized (this) {
      checkOpen(closing);
      subId = options.subId() == null ? freeSubId() : options.subId();
      if (subscriptions.containsKey(subId)) {
        throw new IllegalArgumentException(
            "subId: expected a new one, but there is a subscription " + subId);
      }
      subscription = new Subscription(this, queue, subId, options, handler);
      subscriptions.put(subId, subscription);
    }
    try {
      subscription.start();
    } catch (RuntimeException failure) {
      subscriptions.remove(subId);
      throw failure;
    }
    return subId;
  }

  private String freeSubId() {
    String subId;
    do {
      subId = "sub-" + ++numbers;
    } while (subscriptions.containsKey(subId));
    return subId;
  }

  /** The ids of the subscriptions there are. */
  public Set<String> subscriptions() {
    return Set.copyOf(subscriptions.keySet());
  }

  /**
   * Ends a subscription: its handler ends the message it is at, its batch is sent, and what it
   * holds unsettled is given back, uncharged. It waits for that as long as {@code stopTimeout}
   * allows, but not if a handler of that subscription calls it.
   */
  public void unsubscribe(String subId) {
    Subscription subscription = subscriptions.get(subId);
    if (subscription == null) {
      throw new IllegalArgumentException(
          "subId: expected one of " + subscriptions() + ", but got \"" + subId + "\"");
    }
    end(Map.of(subId, subscription), true);
  }

  /** Ends all subscriptions, as {@link #unsubscribe} does. */
  public void unsubscribeAll() {
    end(Map.copyOf(subscriptions), true);
  }

  private void end(Map<String, Subscription> ending, boolean flush) {
    ending.values().forEach(subscription -> subscription.stop(flush));
    long deadline = config.time().nanos() + config.stopTimeout().toNanos();
    ending.forEach(
        (subId, subscription) -> {
          if (subscription.awaitEnd(deadline)) {
            ended(subId, subscription);
          }
        });
  }

  void ended(String subId, Subscription subscription) {
    subscriptions.remove(subId, subscription);
  }

  /**
   * Acks at once.
   *
   * @param topic whose messages they are
   * @param bookmark one bookmark, or several joined by commas: they are one request
   * @param subId the subscription that received them; at most one, and it may be left out
   * @throws AckException if one was not applied: it says which, and why
   * @throws IllegalArgumentException if the topic or a bookmark cannot be read, or if the bookmark
   *     is of another topic
   */
  public AckResult ack(String topic, String bookmark, String... subId) {
    checkOpen(closed);
    if (subId.length > 1) {
      throw new IllegalArgumentException("subId: expected one at most, but got " + subId.length);
    }
    return explicit.ack(topic, bookmark, subId.length == 0 ? "" : subId[0]);
  }

  /** Acks a message at once; it must have a topic and a bookmark. */
  public AckResult ackMessage(QueueMessage message) {
    checkOpen(closed);
    return explicit.ack(message);
  }

  /**
   * Nacks a message at once: it is retried later, or dies. In an ordered queue that blocks, those
   * behind it that have not been handled are given back.
   */
  public AckResult nackMessage(QueueMessage message, String error) {
    checkOpen(closed);
    return explicit.nack(message, error);
  }

  /**
   * Sends all batches, one request for each; empty if nothing was buffered. All are tried, also if
   * one fails. Acks that could not be sent stay buffered.
   *
   * @throws AckException if an ack was not applied: it says which, and why
   */
  public List<AckResult> flushAcks() {
    checkOpen(closed);
    List<AckResult> results = new ArrayList<>();
    for (Subscription subscription : subscriptions.values()) {
      AckResult result = subscription.outbox().flush();
      if (result != null) {
        results.add(result);
      }
    }
    return AckException.orThrow(List.copyOf(results));
  }

  private void flushDue(AckBuffer.Key key) {
    Subscription subscription = subscriptions.get(key.subId());
    if (subscription == null) {
      buffer.take(key);
    } else {
      subscription.outbox().flushByItself();
    }
  }

  private static void checkOpen(boolean over) {
    if (over) {
      throw new IllegalStateException("expected an open client, but it is closed");
    }
  }

  /**
   * Disconnects: acks that wait in batches are dropped and told to the listener, and what the
   * subscriptions hold is given back. It returns within {@code stopTimeout} and a second.
   */
  @Override
  public void close() {
    synchronized (this) {
      closing = true;
    }
    end(Map.copyOf(subscriptions), false);
    closed = true;
    buffer.close();
    timer.close();
  }
}
