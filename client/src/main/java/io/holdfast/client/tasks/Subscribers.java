package io.holdfast.client.tasks;

import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.lease.PopRequest;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions that are open here, and the groups in the broker that make them durable.
 *
 * <p>Thread: any; no lock is held while the broker is asked.
 */
final class Subscribers {
  /** A partition that no task is in: popping it makes a group without taking anything. */
  private static final String NOWHERE = "(none)";

  private record Name(String topic, String subscriber) {}

  private final Wiring wiring;
  private final Set<TaskSubscription> subscriptions = ConcurrentHashMap.newKeySet();
  private final Set<Name> numbered = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  Subscribers(Wiring wiring) {
    this.wiring = wiring;
  }

  /** Subscribes by the first number that no open subscription of the topic has. */
  TaskSubscription subscribe(String topic) {
    int number = 1;
    while (!numbered.add(new Name(topic, "subscriber-" + number))) {
      number++;
    }
    String subscriber = "subscriber-" + number;
    try {
      return subscribe(topic, subscriber, null);
    } catch (RuntimeException failed) {
      numbered.remove(new Name(topic, subscriber));
      throw failed;
    }
  }

  TaskSubscription subscribe(String topic, String subscriber, @Nullable String deviceId) {
    Texts.name("subscriber", subscriber);
    wiring.topics().prepare(topic);
    List<GroupInfo> groups = groups(topic);
    GroupInfo group = group(groups, subscriber);
    if (group == null) {
      // Tasks that were published for nobody are for the first to come.
      StartFrom start = groups.isEmpty() ? StartFrom.ALL : StartFrom.NEW;
      wiring
          .broker()
          .pop(PopRequest.partition(topic, NOWHERE).group(subscriber).start(start))
          .orThrow();
      group = group(groups(topic), subscriber);
    }
    long sinceMs = group == null ? wiring.time().wallMs() : group.createdMs();
    TaskSubscription subscription =
        new TaskSubscription(wiring, topic, subscriber, deviceId, sinceMs, this::left);
    subscriptions.add(subscription);
    if (closed) {
      subscription.close();
    }
    return subscription;
  }

  private List<GroupInfo> groups(String topic) {
    return wiring.broker().groups(GroupsRequest.ofQueue(topic)).orThrow().items();
  }

  private static @Nullable GroupInfo group(List<GroupInfo> groups, String name) {
    return groups.stream().filter(group -> group.group().equals(name)).findFirst().orElse(null);
  }

  private void left(TaskSubscription subscription) {
    subscriptions.remove(subscription);
    numbered.remove(new Name(subscription.topic(), subscription.subscriber()));
  }

  boolean unsubscribe(String topic, String subscriber) {
    close(
        subscriptions.stream()
            .filter(one -> one.topic().equals(topic) && one.subscriber().equals(subscriber))
            .toList());
    return Answers.found(wiring.broker().deleteGroup(topic, subscriber)) != null;
  }

  void close() {
    closed = true;
    close(List.copyOf(subscriptions));
  }

  private static void close(List<TaskSubscription> ending) {
    ending.forEach(TaskSubscription::stop);
    long deadline = System.nanoTime() + TaskSubscription.STOP_WAIT.toNanos();
    ending.forEach(subscription -> subscription.await(deadline));
  }
}
