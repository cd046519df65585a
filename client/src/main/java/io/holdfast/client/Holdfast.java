package io.holdfast.client;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.client.consume.HeldMessage;
import io.holdfast.client.consume.Transaction;
import io.holdfast.client.remote.RemoteBroker;
import io.holdfast.client.remote.RemoteConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an application begins with: pushing, consuming and transactions on a broker.
 *
 * <p>It holds the broker, and numbers for its transactions. A broker that it connected to is closed
 * with it; one that it was given stays its opener's to close.
 *
 * <p>Thread: any.
 */
public final class Holdfast implements AutoCloseable {
  private final Broker broker;
  private final TimeSource time;
  private final boolean own;
  private final RequestSlots slots;

  private Holdfast(Broker broker, TimeSource time, boolean own) {
    this.broker = broker;
    this.time = time;
    this.own = own;
    this.slots = new RequestSlots(broker::openSession);
  }

  /**
   * On a broker in another process.
   *
   * @param addresses one or more, such as {@code http://localhost:6632}
   */
  public static Holdfast connect(String... addresses) {
    return connect(RemoteConfig.of(addresses));
  }

  public static Holdfast connect(RemoteConfig config) {
    return new Holdfast(RemoteBroker.at(config), config.time(), true);
  }

  public static Holdfast on(Broker broker) {
    return on(broker, TimeSource.SYSTEM);
  }

  /** On a broker under another clock, for tests: it must be the broker's. */
  public static Holdfast on(Broker broker, TimeSource time) {
    return new Holdfast(broker, time, false);
  }

  public Broker broker() {
    return broker;
  }

  /** A queue to push to or to take from. It need not exist yet. */
  public NamedQueue queue(String name) {
    return new NamedQueue(broker, time, name);
  }

  /** Several acks and pushes that happen all or not at all. */
  public Transaction transaction() {
    return new Transaction(broker, slots);
  }

  /** See {@link HeldMessage#ack}. */
  public SettleVerdict ack(HeldMessage message) {
    return message.ack();
  }

  /** See {@link HeldMessage#nack(String)}. */
  public SettleVerdict nack(HeldMessage message, @Nullable String error) {
    return message.nack(error);
  }

  /**
   * Acks messages, all or none.
   *
   * @throws io.holdfast.api.RefusedException naming the first message that could not be acked
   */
  public void ackBatch(List<HeldMessage> messages) {
    if (messages.isEmpty()) {
      return;
    }
    Transaction all = transaction();
    messages.forEach(all::ack);
    all.commit();
  }

  @Override
  public void close() {
    if (own) {
      broker.close();
    }
  }
}
