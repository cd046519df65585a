package io.holdfast.client.tasks;

import io.holdfast.api.Broker;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.task.TaskInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where tasks are, by their ids: a bounded memory of those that were lately seen here, and a search
 * through all topics for the others.
 *
 * <p>Thread: any; the lock is held for the memory alone, never while the broker is asked.
 */
final class Places {
  /** Most tasks whose place is remembered. */
  static final int REMEMBERED_MAX = 100_000;

  /** A topic, and the broker's id of the task there. */
  record Place(String topic, UUID messageId) {
    MessageRef ref() {
      return MessageRef.id(messageId);
    }
  }

  private final Broker broker;
  private final Topics topics;
  private final Map<UUID, Place> known =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, Place> eldest) {
          return size() > REMEMBERED_MAX;
        }
      };

  Places(Broker broker, Topics topics) {
    this.broker = broker;
    this.topics = topics;
  }

  void remember(UUID taskId, String topic, UUID messageId) {
    Place place = new Place(topic, messageId);
    synchronized (known) {
      known.put(taskId, place);
    }
  }

  void forget(UUID taskId) {
    synchronized (known) {
      known.remove(taskId);
    }
  }

  /** Where a task was seen last by this process; null if it does not remember. */
  @Nullable Place remembered(UUID taskId) {
    synchronized (known) {
      return known.get(taskId);
    }
  }

  /** Where a task is; null if it is in no topic. */
  @Nullable Place find(UUID taskId) {
    Place place = remembered(taskId);
    return place != null ? place : search(taskId);
  }

  /** Looks through all topics, whatever is remembered. */
  @Nullable Place search(UUID taskId) {
    List<QueueInfo> all = topics.list();
    for (QueueInfo topic : all) {
      TaskInfo task = Answers.found(broker.task(named(topic, taskId)));
      if (task != null) {
        return remembered(taskId, topic, task.id());
      }
    }
    for (QueueInfo topic : all) {
      // One that is over for long has no state any more, but may be a dead letter.
      MessageDetail detail = Answers.found(broker.message(named(topic, taskId)));
      if (detail != null) {
        return remembered(taskId, topic, detail.message().id());
      }
    }
    return null;
  }

  private Place remembered(UUID taskId, QueueInfo topic, UUID messageId) {
    remember(taskId, topic.name(), messageId);
    return new Place(topic.name(), messageId);
  }

  private static MessageRef named(QueueInfo topic, UUID taskId) {
    return MessageRef.named(topic.name(), NewMessage.DEFAULT_PARTITION, taskId.toString());
  }
}
