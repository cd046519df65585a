package io.holdfast.client.tasks;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.api.queue.QueuesRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The topics of a namespace: queues that track, are shared, and keep the configuration.
 *
 * <p>Thread: any; no lock is held while the broker is asked.
 */
final class Topics {
  /** Most topics that a search or a list goes through. */
  static final int LISTED_MAX = 100_000;

  /** Topics remembered as configured; beyond it they are configured again, which is harmless. */
  private static final int READY_MAX = 10_000;

  private static final String SHARED = "shared";

  private final Broker broker;
  private final TaskBrokerConfig config;
  private final Set<String> ready = ConcurrentHashMap.newKeySet();

  Topics(Broker broker, TaskBrokerConfig config) {
    this.broker = broker;
    this.config = config;
  }

  /**
   * Makes a topic what it has to be, once.
   *
   * @throws IllegalStateException if there is a queue of that name that is something else
   */
  void prepare(String topic) {
    if (ready.contains(topic)) {
      return;
    }
    Texts.name("topic", topic);
    QueueInfo found = Answers.found(broker.queue(topic));
    if (found != null) {
      checkOurs(topic, found.options());
    }
    broker.configure(request(topic)).orThrow();
    if (ready.size() >= READY_MAX) {
      ready.clear();
    }
    ready.add(topic);
  }

  private void checkOurs(String topic, QueueOptions options) {
    String namespace = options.text(QueueOption.NAMESPACE);
    if (!options.flag(QueueOption.TRACK)
        || !options.text(QueueOption.DELIVERY).equals(SHARED)
        || !namespace.equals(config.namespace())) {
      throw new IllegalStateException(
          "topic "
              + topic
              + ": expected no queue of that name, or a topic of namespace "
              + config.namespace()
              + ", but there is a queue (namespace '"
              + namespace
              + "', track "
              + options.flag(QueueOption.TRACK)
              + ", delivery "
              + options.text(QueueOption.DELIVERY)
              + ") that serves something else; choose another topic, or set its options to"
              + " namespace, track and delivery shared if it is meant for tasks");
    }
  }

  private ConfigureRequest request(String topic) {
    RetryConfig retry = config.retry();
    long keepS = config.keepStates().toSeconds();
    long leaseS = Math.max(1, (config.ackTimeout().toMillis() + 999) / 1_000);
    return ConfigureRequest.queue(topic)
        .set(QueueOption.NAMESPACE, config.namespace())
        .set(QueueOption.TRACK, true)
        .set(QueueOption.DELIVERY, SHARED)
        .set(QueueOption.LEASE_TIME, leaseS)
        .set(QueueOption.RETRY_LIMIT, retry.maxRetries())
        .set(QueueOption.RETRY_DELAY, retry.initialBackoff().toMillis())
        .set(QueueOption.RETRY_DELAY_MAX, retry.maxBackoff().toMillis())
        .set(QueueOption.RETRY_FACTOR, (long) retry.factor())
        .set(QueueOption.DEAD_LETTER_QUEUE, config.dlqEnabled())
        .set(QueueOption.DLQ_AFTER_MAX_RETRIES, config.dlqEnabled())
        .set(QueueOption.COMPLETED_RETENTION, keepS)
        .set(QueueOption.DEDUP_WINDOW, keepS);
  }

  /** All topics of the namespace, by name. */
  List<QueueInfo> list() {
    List<QueueInfo> all = new ArrayList<>();
    String after = null;
    do {
      Page<QueueInfo> page = page(after);
      all.addAll(page.items());
      after = page.next();
    } while (after != null && all.size() < LISTED_MAX);
    return all;
  }

  private Page<QueueInfo> page(@Nullable String after) {
    return broker
        .queues(new QueuesRequest("", config.namespace(), null, after, Limits.PAGE_MAX))
        .orThrow();
  }
}
