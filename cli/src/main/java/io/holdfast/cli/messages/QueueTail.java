package io.holdfast.cli.messages;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.message.BrowsePlace;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.BrowsedMessage;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.queue.PartitionInfo;
import io.holdfast.api.queue.PartitionsRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the messages that enter the lanes of a queue, without taking them: each poll returns those
 * since the last one.
 *
 * <p>Keeps a position for each lane, and reads only partitions that have changed. A message that is
 * pushed and removed between two polls is not seen. Thread: one.
 */
final class QueueTail {
  /** Most messages of one poll; the rest comes with the next. */
  static final int POLL_MESSAGES_MAX = 10_000;

  private static final int PAGE = 500;
  private static final int PARTITIONS_MAX = 100_000;

  /** A group without consumers: for it no message is in flight or settled. */
  private static final String UNUSED_GROUP = "__TAIL__";

  private static final MessageState[] IN_LANES = {
    MessageState.WAITING, MessageState.RETURNED, MessageState.IN_FLIGHT, MessageState.SETTLED
  };

  /** The counts of a partition, which change when a message enters. */
  private record Mark(long lastPushMs, long stored, long delayed) {
    static Mark of(PartitionInfo info) {
      return new Mark(info.lastPushMs(), info.counts().stored(), info.counts().delayed());
    }
  }

  /** The positions in a partition, by lane. */
  private static final class Followed {
    private final long number;
    private final Map<Integer, Long> read = new HashMap<>();
    private @Nullable Mark mark;

    private Followed(long number) {
      this.number = number;
    }
  }

  private final Broker broker;
  private final BrowseRequest request;
  private final @Nullable String partition;
  private final long fromMs;
  private Map<String, Followed> followed = new HashMap<>();
  private List<Message> found = new ArrayList<>();
  private boolean more;

  /**
   * Starts with the messages that entered at or after a time.
   *
   * @param partition null for all
   */
  QueueTail(Broker broker, String queue, @Nullable String partition, long fromMs) {
    this.broker = broker;
    this.request = BrowseRequest.queue(queue).group(UNUSED_GROUP).states(IN_LANES);
    this.partition = partition;
    this.fromMs = fromMs;
  }

  /** The messages since the last poll, in the order of their entry. */
  List<Message> poll() {
    found = new ArrayList<>();
    more = false;
    Map<String, Followed> still = new HashMap<>();
    String after = partition == null ? null : before(partition);
    do {
      Page<PartitionInfo> page =
          broker.partitions(new PartitionsRequest(request.queue(), after, pageSize())).orThrow();
      for (PartitionInfo info : page.items()) {
        if (partition == null || partition.equals(info.name())) {
          still.put(info.name(), look(info));
        }
      }
      after = partition == null ? page.next() : null;
      if (still.size() > PARTITIONS_MAX) {
        throw new IllegalStateException(
            request.queue()
                + " has more than "
                + PARTITIONS_MAX
                + " partitions; name one with --partition");
      }
    } while (after != null);
    followed = still;
    found.sort(
        Comparator.comparingLong(Message::visibleMs)
            .thenComparing(Message::partition)
            .thenComparingLong(message -> message.position().seq()));
    return found;
  }

  /** Whether the last poll was cut off. */
  boolean hasMore() {
    return more;
  }

  private int pageSize() {
    return partition == null ? Limits.PAGE_MAX : 1;
  }

  /** A name after which this one is the next. */
  private static String before(String name) {
    int last = name.length() - 1;
    char c = (char) (name.charAt(last) - 1);
    char whole = Character.isSurrogate(c) ? '\ud7ff' : c;
    return name.substring(0, last) + whole + '\uffff';
  }

  private Followed look(PartitionInfo info) {
    Followed known = followed.get(info.name());
    // A partition that was dropped and created again starts from the beginning.
    Followed lanes = known == null || known.number != info.id() ? new Followed(info.id()) : known;
    Mark mark = Mark.of(info);
    if (mark.equals(lanes.mark)) {
      return lanes;
    }
    if (found.size() >= POLL_MESSAGES_MAX) {
      more = true;
      return lanes;
    }
    if (read(info.name(), lanes)) {
      lanes.mark = mark;
    } else {
      more = true;
    }
    return lanes;
  }

  /** Reads the new messages of each lane; returns false if some were left. */
  private boolean read(String name, Followed lanes) {
    int lane = 0;
    while (true) {
      Message first = next(name, lane, start(name, lanes, lane));
      if (first == null) {
        return true;
      }
      if (first.position().lane() > lane) {
        lane = first.position().lane();
        continue;
      }
      if (!readLane(name, lanes, lane)) {
        return false;
      }
      lane++;
    }
  }

  private boolean readLane(String name, Followed lanes, int lane) {
    String after = BrowsePlace.inLane(name, lane, start(name, lanes, lane)).text();
    while (after != null) {
      Page<BrowsedMessage> page =
          broker.browse(request.partition(name).after(after).limit(PAGE)).orThrow();
      for (BrowsedMessage one : page.items()) {
        if (one.message().position().lane() != lane) {
          return true;
        }
        found.add(one.message());
        lanes.read.put(lane, one.message().position().seq());
      }
      if (found.size() >= POLL_MESSAGES_MAX) {
        return false;
      }
      after = page.next();
    }
    return true;
  }

  /** The seq after which a lane has to be read. */
  private long start(String name, Followed lanes, int lane) {
    Long read = lanes.read.get(lane);
    if (read == null) {
      read = search(name, lane);
      lanes.read.put(lane, read);
    }
    return read;
  }

  /** The last seq of a lane that entered before the start; times along a lane do not decrease. */
  private long search(String name, int lane) {
    long before = -1;
    long step = 1;
    Message next = inLane(name, lane, before);
    // Exponential, then binary search.
    while (next != null && next.visibleMs() < fromMs) {
      before = next.position().seq();
      next = inLane(name, lane, before + step);
      step *= 2;
    }
    long notBefore = before + step;
    while (notBefore - before > 1) {
      long middle = before + (notBefore - before) / 2;
      Message probe = inLane(name, lane, middle - 1);
      if (probe != null && probe.visibleMs() < fromMs) {
        before = Math.max(middle, probe.position().seq());
      } else {
        notBefore = middle;
      }
    }
    return before;
  }

  private @Nullable Message inLane(String name, int lane, long seq) {
    Message next = next(name, lane, seq);
    return next == null || next.position().lane() != lane ? null : next;
  }

  /** The first message after a position, in its lane or a later one; null if there is none. */
  private @Nullable Message next(String name, int lane, long seq) {
    String after = BrowsePlace.inLane(name, lane, seq).text();
    while (after != null) {
      Page<BrowsedMessage> page =
          broker.browse(request.partition(name).after(after).limit(1)).orThrow();
      if (!page.items().isEmpty()) {
        return page.items().getFirst().message();
      }
      after = page.next();
    }
    return null;
  }
}
