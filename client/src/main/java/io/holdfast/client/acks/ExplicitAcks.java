package io.holdfast.client.acks;

import io.holdfast.client.acks.AckSender.Order;
import java.util.List;
import java.util.Map;

/**
 * Acks and nacks that the application asks for: checked, sent at once, and told to the subscription
 * that holds the message.
 *
 * <p>Thread: any.
 */
final class ExplicitAcks {
  private final AckSender sender;
  private final Map<String, Subscription> subscriptions;

  ExplicitAcks(AckSender sender, Map<String, Subscription> subscriptions) {
    this.sender = sender;
    this.subscriptions = subscriptions;
  }

  AckResult ack(String topic, String bookmarks, String subId) {
    Topic named = Topic.parse(topic);
    List<Bookmark> all = Bookmark.parseAll(bookmarks);
    all.forEach(bookmark -> checkTopic(named, subId, bookmark));
    return send(topic, subId, all.stream().map(Order::ack).toList());
  }

  AckResult ack(QueueMessage message) {
    checkSettleable(message);
    return ack(message.topic(), message.bookmark(), message.subId());
  }

  AckResult nack(QueueMessage message, String error) {
    checkSettleable(message);
    Bookmark bookmark = Bookmark.parse(message.bookmark());
    checkTopic(Topic.parse(message.topic()), message.subId(), bookmark);
    subscriptions.values().stream()
        .filter(subscription -> subscription.outbox().holds(bookmark))
        .forEach(subscription -> subscription.failed(bookmark));
    return send(message.topic(), message.subId(), List.of(Order.nack(bookmark, error)));
  }

  private static void checkSettleable(QueueMessage message) {
    if (message.topic().isEmpty() || message.bookmark().isEmpty()) {
      throw new IllegalArgumentException(
          "message: expected one with a topic and a bookmark, but "
              + (message.topic().isEmpty() ? "the topic" : "the bookmark")
              + " is empty; what was settled at delivery cannot be acked");
    }
  }

  private void checkTopic(Topic named, String subId, Bookmark bookmark) {
    subscriptions.forEach(
        (id, subscription) -> {
          boolean receiver = id.equals(subId) || subscription.outbox().holds(bookmark);
          if (receiver && !subscription.topic().equals(named)) {
            throw new IllegalArgumentException(
                "topic: expected "
                    + subscription.topic().text()
                    + ", the topic of subscription "
                    + id
                    + ", but got \""
                    + named.text()
                    + "\"");
          }
        });
  }

  private AckResult send(String topic, String subId, List<Order> orders) {
    for (Subscription subscription : subscriptions.values()) {
      orders.forEach(subscription.outbox()::trying);
    }
    AckResult result = sender.send(topic, subId, orders, this::mayBeRepeated);
    for (int i = 0; i < orders.size(); i++) {
      Bookmark bookmark = orders.get(i).bookmark();
      if (result.verdicts().get(i).isFinal()) {
        subscriptions.values().forEach(any -> any.outbox().settled(bookmark));
      }
    }
    return AckException.orThrow(result);
  }

  private boolean mayBeRepeated(Order order) {
    return subscriptions.values().stream()
        .anyMatch(subscription -> subscription.outbox().mayBeRepeated(order));
  }
}
