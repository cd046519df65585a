package io.holdfast.client.acks;

import io.holdfast.api.lease.PopSource;
import org.jspecify.annotations.Nullable;

/** A queue as subscriptions name it: {@code queue://} and its name. */
record Topic(String queue) {
  private static final String SCHEME = "queue://";

  Topic {
    source(queue, null);
  }

  /** Reads a topic; an error says what was expected. */
  static Topic parse(String text) {
    if (!text.startsWith(SCHEME) || text.length() == SCHEME.length()) {
      throw new IllegalArgumentException(
          "topic: expected " + SCHEME + " and the name of a queue, but got \"" + text + "\"");
    }
    return new Topic(text.substring(SCHEME.length()));
  }

  String text() {
    return SCHEME + queue;
  }

  PopSource source(@Nullable String partition) {
    return source(queue, partition);
  }

  /** The source checks the names. */
  private static PopSource source(String queue, @Nullable String partition) {
    return partition == null
        ? new PopSource.WholeQueue(queue)
        : new PopSource.OnePartition(queue, partition);
  }
}
