package io.holdfast.engine.logic;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped.Reason;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.Stamp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A broker as one would explain it: every message in a list, with what each group has to do with
 * it. It is written to be obvious and knows no index, no cursor and no chunk.
 */
final class Model {
  enum State {
    WAITING,
    BACK,
    HELD,
    DONE
  }

  /** What one group has to do with one message. */
  static final class Share {
    State state = State.WAITING;
    int failures;
    int expiries;
    int deliveries;
    long visibleAtMs;

    /** When it was requeued, from which its age counts; 0 if it was not. */
    long requeuedMs;

    /** Whether it came back before the group came to it, at the end of the command before. */
    boolean ahead;

    void reset(State to) {
      state = to;
      ahead = false;
      failures = 0;
      expiries = 0;
      deliveries = 0;
      visibleAtMs = 0;
      requeuedMs = 0;
    }
  }

  static final class Msg {
    final Part part;
    final int lane;
    final long idSeq;
    final long createdMs;
    final @Nullable String name;
    final Map<String, Share> shares = new HashMap<>();

    /** While it is kept aside: when it enters its lane; else 0. */
    long dueMs;

    long seq;
    long enteredMs;

    /** Whether it was purged, or cancelled when it may have been trimmed already. */
    boolean unsure;

    /** Whether it came back from the dead, perhaps after its name was forgotten. */
    boolean requeued;

    Msg(Part part, int lane, long idSeq, long createdMs, @Nullable String name) {
      this.part = part;
      this.lane = lane;
      this.idSeq = idSeq;
      this.createdMs = createdMs;
      this.name = name;
    }

    Share share(String group) {
      return shares.computeIfAbsent(group, any -> new Share());
    }

    boolean isDelayed() {
      return dueMs > 0;
    }

    boolean isIn(String group, State state) {
      return share(group).state == state;
    }
  }

  static final class Part {
    final Q queue;
    final String name;
    long number;
    long nextSeq = 1;
    long lastPushMs;
    final Map<String, Long> lastServed = new HashMap<>();

    /** For each group the worker whose sticky pop took last. */
    final Map<String, String> workers = new HashMap<>();

    /** For each group with a worker, when a message came while none could be taken. */
    final Map<String, Long> availableMs = new HashMap<>();

    /** From when on each group takes what enters here. */
    final Map<String, Long> startMs;

    final List<Msg> messages = new ArrayList<>();
    final Map<String, Msg> names = new HashMap<>();

    Part(Q queue, String name, long number) {
      this.queue = queue;
      this.name = name;
      this.number = number;
      this.startMs = new HashMap<>(queue.startMs);
    }

    /** A pop took from it. */
    void served(PopRequest request, Stamp stamp) {
      lastServed.put(request.group(), stamp.index());
      availableMs.remove(request.group());
      if (request.stickyMs() > 0) {
        workers.put(request.group(), Objects.requireNonNull(request.worker()));
      } else {
        workers.remove(request.group());
      }
    }

    void forgetWorker(String group) {
      workers.remove(group);
      availableMs.remove(group);
    }

    boolean hasWork(String group) {
      return inOrder().stream()
          .anyMatch(m -> m.isIn(group, State.WAITING) || m.isIn(group, State.BACK));
    }

    /** Whether a worker is preferred: one that returned messages is not. */
    boolean isSticky(String group) {
      return workers.containsKey(group)
          && inOrder().stream().noneMatch(m -> m.isIn(group, State.BACK));
    }

    /** Messages in lanes, in the order in which a group gets them. */
    List<Msg> inOrder() {
      return messages.stream()
          .filter(message -> !message.isDelayed())
          .sorted(
              Comparator.<Msg>comparingInt(message -> message.lane)
                  .thenComparingLong(message -> message.seq))
          .toList();
    }
  }

  static final class Q {
    final String name;
    QueueOptions options = QueueOptions.DEFAULTS;
    boolean paused;
    final List<String> groups = new ArrayList<>();

    /** From when on each group takes what enters partitions that come next. */
    final Map<String, Long> startMs = new HashMap<>();

    final Map<String, Part> parts = new TreeMap<>();
    final List<Dead> dead = new ArrayList<>();

    Q(String name) {
      this.name = name;
    }

    boolean ordered() {
      return options.text(QueueOption.DELIVERY).equals("ordered");
    }

    boolean blocks() {
      return ordered() && options.text(QueueOption.ON_FAILURE).equals("block");
    }

    long ms(QueueOption option) {
      return options.number(option) * 1000;
    }

    boolean keepsDead() {
      return options.flag(QueueOption.DEAD_LETTER_QUEUE)
          || options.flag(QueueOption.DLQ_AFTER_MAX_RETRIES);
    }

    boolean isTooOld(Msg message, long nowMs) {
      return over(message, QueueOption.TTL, nowMs) || over(message, QueueOption.RETENTION, nowMs);
    }

    boolean isTooOld(Msg message, Share share, long nowMs) {
      return tooOldAtMs(message, share) <= nowMs;
    }

    /** From when on a message that came back is not delivered any more. */
    long tooOldAtMs(Msg message, Share share) {
      long sinceMs = share.requeuedMs == 0 ? message.enteredMs : share.requeuedMs;
      return Math.min(endMs(sinceMs, QueueOption.TTL), endMs(sinceMs, QueueOption.RETENTION));
    }

    private long endMs(long sinceMs, QueueOption limit) {
      return ms(limit) == 0 ? Long.MAX_VALUE : sinceMs + ms(limit);
    }

    boolean waitedTooLong(Msg message, long nowMs) {
      return over(message, QueueOption.MAX_WAIT_TIME, nowMs);
    }

    private boolean over(Msg message, QueueOption limit, long nowMs) {
      return isOver(message.enteredMs, limit, nowMs);
    }

    private boolean isOver(long sinceMs, QueueOption limit, long nowMs) {
      return ms(limit) > 0 && sinceMs + ms(limit) <= nowMs;
    }
  }

  static final class Dead {
    final Msg message;
    final String group;
    final int deliveries;
    final long diedMs;

    Dead(Msg message, String group, int deliveries, long diedMs) {
      this.message = message;
      this.group = group;
      this.deliveries = deliveries;
      this.diedMs = diedMs;
    }

    boolean isOf(Msg other, String name) {
      return message == other && group.equals(name);
    }
  }

  /** A message in a lease, and what became of it there. */
  static final class Item {
    final Msg message;

    /** Where it stood when it was leased: a later reschedule may move it. */
    final long seq;

    byte status = Items.OPEN;

    Item(Msg message) {
      this.message = message;
      this.seq = message.seq;
    }

    boolean isAt(long partition, long place) {
      return message.part.number == partition && seq == place;
    }
  }

  static final class Grant {
    long id;
    final Q queue;
    final String group;
    final long lengthMs;
    long untilMs;
    boolean alone;
    @Nullable String attemptId;
    final List<Item> items = new ArrayList<>();

    /** Until when it is remembered, once it is over; 0 while it lives. */
    long rememberedMs;

    Grant(long id, Q queue, String group, long lengthMs, long nowMs) {
      this.id = id;
      this.queue = queue;
      this.group = group;
      this.lengthMs = lengthMs;
      this.untilMs = nowMs + lengthMs;
    }

    boolean isLive() {
      return rememberedMs == 0;
    }

    long open() {
      return items.stream().filter(item -> item.status == Items.OPEN).count();
    }

    boolean holds(Part part) {
      return items.stream()
          .anyMatch(item -> item.status == Items.OPEN && item.message.part == part);
    }
  }

  final Map<String, Q> queues = new TreeMap<>();
  final Map<Long, Grant> grants = new HashMap<>();
  long nowMs;

  Q queue(String name) {
    return queues.computeIfAbsent(name, Q::new);
  }

  @Nullable Grant live(long id) {
    Grant grant = grants.get(id);
    return grant != null && grant.isLive() ? grant : null;
  }

  /** The lease that has locked a subscription: in ordered queues one that holds some of it. */
  @Nullable Grant lock(Part part, String group) {
    return part.queue.ordered()
        ? grants.values().stream()
            .filter(g -> g.isLive() && g.group.equals(group) && g.holds(part))
            .findFirst()
            .orElse(null)
        : null;
  }

  long count(Q queue, String group, State state) {
    return queue.parts.values().stream()
        .flatMap(part -> part.messages.stream())
        .filter(message -> !message.isDelayed() && message.share(group).state == state)
        .count();
  }

  long delayed(Q queue) {
    return queue.parts.values().stream()
        .flatMap(part -> part.messages.stream())
        .filter(Msg::isDelayed)
        .count();
  }

  @Nullable Part part(long number) {
    return queues.values().stream()
        .flatMap(queue -> queue.parts.values().stream())
        .filter(part -> part.number == number)
        .findFirst()
        .orElse(null);
  }

  @Nullable Msg find(MessageRef ref) {
    if (ref instanceof MessageRef.ByName name) {
      Q queue = queues.get(name.queue());
      Part part = queue == null ? null : queue.parts.get(name.partition());
      return part == null ? null : part.names.get(name.transactionId());
    }
    if (ref instanceof MessageRef.InPartition in) {
      Part part = part(in.partition());
      return part == null ? null : part.names.get(in.transactionId());
    }
    MessageId id = MessageId.of(((MessageRef.ById) ref).id());
    return queues.values().stream()
        .flatMap(queue -> queue.parts.values().stream())
        .flatMap(
            part ->
                Stream.concat(part.messages.stream(), part.queue.dead.stream().map(d -> d.message))
                    .filter(m -> m.part == part))
        .filter(m -> id.equals(MessageId.of(m.createdMs, m.part.number, m.idSeq)))
        .findFirst()
        .orElse(null);
  }

  /** Whether it is stored for certain: some group has not settled it, and it is not too old. */
  boolean isStored(Msg message) {
    List<String> groups = message.part.queue.groups;
    return !message.unsure
        && message.part.messages.contains(message)
        && (message.isDelayed()
            || (groups.isEmpty() && !message.part.queue.isTooOld(message, nowMs))
            || groups.stream()
                .map(message::share)
                .anyMatch(
                    share ->
                        share.state != State.DONE
                            && !message.part.queue.isTooOld(message, share, nowMs)));
  }

  /** Whether it is found for certain: one that came back from the dead may have lost its name. */
  boolean isFound(MessageRef ref, Msg message) {
    return isStored(message) && !(ref instanceof MessageRef.ByName && message.requeued);
  }

  /** Takes messages away from whoever holds them. */
  void takeAway(Predicate<Grant> from, Predicate<Msg> which, byte how) {
    for (Grant grant : List.copyOf(grants.values())) {
      if (grant.isLive() && from.test(grant)) {
        grant.items.stream()
            .filter(item -> item.status == Items.OPEN && which.test(item.message))
            .forEach(item -> item.status = how);
        end(grant);
      }
    }
  }

  /** What happens by itself before a command: leases run out, delayed messages enter. */
  void pass(long now) {
    nowMs = now;
    grants.values().stream()
        .filter(grant -> grant.isLive() && grant.untilMs <= now)
        .sorted(Comparator.<Grant>comparingLong(g -> g.untilMs).thenComparingLong(g -> g.id))
        .forEach(this::expire);
    for (Q queue : queues.values()) {
      for (Part part : queue.parts.values()) {
        part.messages.stream()
            .filter(message -> message.isDelayed() && message.dueMs <= now)
            .sorted(Comparator.<Msg>comparingLong(m -> m.dueMs).thenComparingLong(m -> m.idSeq))
            .forEach(this::enter);
      }
    }
  }

  /** A message is about to enter a lane. */
  void entering(Part part) {
    for (String group : part.workers.keySet()) {
      if (lock(part, group) != null || !part.hasWork(group)) {
        part.availableMs.put(group, nowMs);
      }
    }
  }

  private void enter(Msg message) {
    entering(message.part);
    message.dueMs = 0;
    message.seq = message.part.nextSeq++;
    message.enteredMs = nowMs;
    message.shares.clear();
    passEarly(message);
  }

  /** A group that begins later leaves out what enters, unless it has still to take others there. */
  void passEarly(Msg message) {
    Part part = message.part;
    for (String group : part.queue.groups) {
      boolean others =
          part.messages.stream()
              .filter(m -> m != message && m.lane == message.lane && !m.isDelayed())
              .anyMatch(m -> m.share(group).state == State.WAITING);
      if (nowMs < part.startMs.getOrDefault(group, 0L) && !others) {
        message.share(group).reset(State.DONE);
      }
    }
  }

  private void expire(Grant grant) {
    long limit = grant.queue.options.number(QueueOption.DELIVERY_LIMIT);
    for (Item item : grant.items) {
      if (item.status != Items.OPEN) {
        continue;
      }
      item.status = Items.GIVEN_BACK;
      Share share = item.message.share(grant.group);
      share.expiries++;
      if (limit > 0 && share.expiries > limit) {
        if (grant.alone) {
          item.status = Items.SETTLED;
          bury(item.message, grant.group, share.deliveries + 1);
          continue;
        }
        share.expiries = Math.max((int) limit, 2);
      }
      back(share, nowMs);
    }
    end(grant);
  }

  void back(Share share, long visibleAtMs) {
    share.state = State.BACK;
    share.ahead = false;
    share.deliveries++;
    share.visibleAtMs = visibleAtMs;
  }

  /** Makes a message a dead letter of a group, instead of an earlier one of the same two. */
  void bury(Msg message, String group, int deliveries) {
    Q queue = message.part.queue;
    message.share(group).reset(State.DONE);
    if (queue.keepsDead()) {
      queue.dead.removeIf(dead -> dead.isOf(message, group));
      queue.dead.add(new Dead(message, group, deliveries, nowMs));
    }
  }

  /** Ends a lease that holds nothing any more. */
  void end(Grant grant) {
    if (grant.isLive() && grant.open() == 0) {
      grant.rememberedMs = nowMs + Math.max(grant.lengthMs, LogicLimits.ENDED_MS_MIN);
    }
  }

  /** Why a subscription gave nothing, and until when. */
  record Why(Reason reason, long untilMs) {}
}
