package io.holdfast.cli.queues;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueuesRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the queues of a broker by name, page by page.
 *
 * @param pattern part of a name, or a glob with {@code *} that matches the whole name; null for all
 */
public record QueueScan(@Nullable String pattern) {
  /** Most queues that are read: the default limit of a broker. */
  public static final int QUEUES_MAX = 100_000;

  public List<QueueInfo> all(Broker broker) {
    return first(broker, Integer.MAX_VALUE, queue -> true);
  }

  public List<QueueInfo> first(Broker broker, int most, Predicate<QueueInfo> wanted) {
    Predicate<String> named = named();
    List<QueueInfo> found = new ArrayList<>();
    String after = null;
    for (int seen = 0; seen < QUEUES_MAX && found.size() < most; ) {
      Page<QueueInfo> page =
          broker.queues(new QueuesRequest(prefix(), null, null, after, Limits.PAGE_MAX)).orThrow();
      seen += page.items().size();
      for (QueueInfo queue : page.items()) {
        if (found.size() < most && named.test(queue.name()) && wanted.test(queue)) {
          found.add(queue);
        }
      }
      after = page.next();
      if (after == null) {
        break;
      }
    }
    return found;
  }

  /** The common prefix of all matching names, which the broker filters by. */
  private String prefix() {
    int star = pattern == null ? -1 : pattern.indexOf('*');
    return pattern == null || star < 0 ? "" : pattern.substring(0, star);
  }

  private Predicate<String> named() {
    String part = pattern;
    if (part == null) {
      return name -> true;
    }
    if (part.indexOf('*') < 0) {
      return name -> name.contains(part);
    }
    return Pattern.compile("\\Q" + part.replace("*", "\\E.*\\Q") + "\\E").asMatchPredicate();
  }
}
