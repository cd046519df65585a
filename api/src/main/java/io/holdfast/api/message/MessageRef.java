package io.holdfast.api.message;

import io.holdfast.api.Check;
import java.util.UUID;

/** Names one message in whatever state it is. */
public sealed interface MessageRef {
  /** By the id its push answered. */
  record ById(UUID id) implements MessageRef {
    public ById {
      Check.present("id", id);
    }
  }

  /** By the name its producer gave it. */
  record ByName(String queue, String partition, String transactionId) implements MessageRef {
    public ByName {
      Check.name("queue", queue);
      Check.name("partition", partition);
      Check.key("transactionId", transactionId);
    }
  }

  /**
   * By its name in a partition whose number is known; a message that its producer gave no name goes
   * by its id, written out.
   */
  record InPartition(long partition, String transactionId) implements MessageRef {
    public InPartition {
      Check.notNegative("partition", partition);
      Check.key("transactionId", transactionId);
    }
  }

  static MessageRef id(UUID id) {
    return new ById(id);
  }

  static MessageRef named(String queue, String partition, String transactionId) {
    return new ByName(queue, partition, transactionId);
  }
}
