package io.holdfast.server.queues;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueuesRequest;
import io.holdfast.server.http.Refusals;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The queues of a broker by name, page by page: as many as the broker may have. */
public final class AllQueues {
  private final Broker broker;
  private final @Nullable String namespace;
  private final @Nullable String task;

  public AllQueues(Broker broker) {
    this(broker, null, null);
  }

  public AllQueues(Broker broker, @Nullable String namespace, @Nullable String task) {
    this.broker = broker;
    this.namespace = namespace;
    this.task = task;
  }

  /** Visits the queues behind a name, until the visitor says no. */
  public void visit(@Nullable String after, Predicate<QueueInfo> visitor) {
    String from = after;
    do {
      Page<QueueInfo> page =
          Refusals.orThrow(
              broker.queues(new QueuesRequest("", namespace, task, from, Limits.PAGE_MAX)));
      for (QueueInfo queue : page.items()) {
        if (!visitor.test(queue)) {
          return;
        }
      }
      from = page.next();
    } while (from != null);
  }
}
