package io.holdfast.api.lease;

import io.holdfast.api.Check;
import io.holdfast.api.InvalidArgumentException;
import org.jspecify.annotations.Nullable;

/** Where a pop takes messages from. */
public sealed interface PopSource {
  /** Any partition of a queue, in turn. */
  record WholeQueue(String queue) implements PopSource {
    public WholeQueue {
      Check.name("queue", queue);
    }
  }

  /** One partition of a queue. */
  record OnePartition(String queue, String partition) implements PopSource {
    public OnePartition {
      Check.name("queue", queue);
      Check.name("partition", partition);
    }
  }

  /** Every queue of a namespace, of a task, or of both; queues of higher priority first. */
  record Tagged(@Nullable String namespace, @Nullable String task) implements PopSource {
    public Tagged {
      if (namespace == null && task == null) {
        throw new InvalidArgumentException("namespace: expected a namespace or a task, or both");
      }
    }
  }
}
