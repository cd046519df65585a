package io.holdfast.engine.logic;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.lease.Popped.Reason;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.Stamp;
import io.holdfast.engine.logic.Model.Grant;
import io.holdfast.engine.logic.Model.Item;
import io.holdfast.engine.logic.Model.Msg;
import io.holdfast.engine.logic.Model.Part;
import io.holdfast.engine.logic.Model.Q;
import io.holdfast.engine.logic.Model.Share;
import io.holdfast.engine.logic.Model.State;
import io.holdfast.engine.logic.Model.Why;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a pop should bring, by the model. */
final class ModelPop {
  private final Model model;
  private final PopRequest request;
  private final Q queue;
  private final Grant grant;
  private final boolean joined;
  private final Stamp stamp;

  /** What was taken, with the attempt and the failures that should be told. */
  final List<String> taken = new ArrayList<>();

  private @Nullable Why why;
  private final List<Why> whys = new ArrayList<>();

  ModelPop(Model model, PopRequest request, Q queue, Stamp stamp) {
    this.model = model;
    this.request = request;
    this.queue = queue;
    this.stamp = stamp;
    Grant live =
        request.joinLease() == null ? null : model.live(LeaseId.number(request.joinLease()));
    joined =
        live != null && live.queue == queue && live.group.equals(request.group()) && !live.alone;
    long lengthMs = request.leaseMs() > 0 ? request.leaseMs() : queue.ms(QueueOption.LEASE_TIME);
    grant =
        joined && live != null
            ? live
            : new Grant(LeaseId.of(stamp.random()), queue, request.group(), lengthMs, model.nowMs);
  }

  String answer() {
    Grant earlier = request.attemptId() == null ? null : earlier(request.attemptId());
    return earlier == null ? first() : again(earlier);
  }

  private @Nullable Grant earlier(String attemptId) {
    return model.grants.values().stream()
        .filter(g -> g.isLive() && g.queue == queue && g.group.equals(request.group()))
        .filter(g -> attemptId.equals(g.attemptId))
        .findFirst()
        .orElse(null);
  }

  /** A repeat brings the open messages of the lease that the first pop was granted. */
  private String again(Grant earlier) {
    List<Part> parts = earlier.items.stream().map(item -> item.message.part).distinct().toList();
    for (Part part : parts) {
      for (Item item : earlier.items) {
        boolean open = item.status == Items.OPEN && item.message.part == part;
        if (open && taken.size() < request.batch()) {
          Share share = item.message.share(request.group());
          taken.add(text(item.message, share, share.deliveries + 1));
        }
      }
    }
    long lengthMs = request.leaseMs() > 0 ? request.leaseMs() : earlier.lengthMs;
    earlier.untilMs = Math.max(earlier.untilMs, model.nowMs + lengthMs);
    model.grants.remove(earlier.id);
    earlier.id = LeaseId.of(stamp.random());
    model.grants.put(earlier.id, earlier);
    return earlier.id + " until " + earlier.untilMs + " NONE at 0";
  }

  private String first() {
    if (queue.paused) {
      return "0 until 0 PAUSED at 0";
    }
    if (request.source() instanceof PopSource.OnePartition one) {
      Part part = queue.parts.get(one.partition());
      Grant lock = part == null ? null : model.lock(part, request.group());
      if (lock != null && lock != grant) {
        return "0 until 0 LOCKED at " + lock.untilMs;
      }
      if (part != null && isReserved(part) && part.hasWork(request.group())) {
        reserved(part);
      } else if (part != null && take(part) == 0 && why != null) {
        whys.add(why);
      }
      return taken.isEmpty() ? nothing(false) : granted();
    }
    takeInTurn();
    return taken.isEmpty() ? nothing(true) : granted();
  }

  private void takeInTurn() {
    List<Part> held = new ArrayList<>();
    if (joined) {
      for (Item item : List.copyOf(grant.items)) {
        if (grant.holds(item.message.part) && !held.contains(item.message.part)) {
          held.add(item.message.part);
        }
      }
      held.forEach(this::take);
    }
    int left = request.partitions();
    List<Part> turns =
        queue.parts.values().stream()
            .filter(part -> model.lock(part, request.group()) == null && !held.contains(part))
            .filter(part -> part.hasWork(request.group()))
            .sorted(order())
            .toList();
    // Of partitions that have to wait until the same time, the one with the lowest number counts.
    Map<Long, Why> byNumber = new TreeMap<>();
    for (Part part : turns) {
      if (left == 0 || isFull()) {
        return;
      }
      if (isReserved(part)) {
        reserved(part);
        continue;
      }
      if (take(part) > 0) {
        left--;
      } else if (why != null) {
        byNumber.put(part.number, why);
      }
    }
    whys.addAll(byNumber.values());
  }

  /**
   * By turn. A sticky pop takes from partitions for which others did not come in time after its
   * own, by the time at which they had a message; one of eight such pops before its own.
   */
  private Comparator<Part> order() {
    Comparator<Part> byTurn =
        Comparator.<Part>comparingLong(p -> p.lastServed.getOrDefault(request.group(), 0L))
            .thenComparingLong(p -> p.number);
    if (request.stickyMs() == 0) {
      return byTurn;
    }
    boolean lateFirst = stamp.index() % 8 == 0;
    Comparator<Part> byAvailability =
        Comparator.comparingLong(this::availableMs).thenComparingLong(p -> p.number);
    return (one, other) -> {
      boolean late = lateFirst ? isLate(one) : isOthers(one);
      boolean otherLate = lateFirst ? isLate(other) : isOthers(other);
      if (late != otherLate) {
        return late == lateFirst ? -1 : 1;
      }
      return late ? byAvailability.compare(one, other) : byTurn.compare(one, other);
    };
  }

  private long availableMs(Part part) {
    return part.availableMs.getOrDefault(request.group(), 0L);
  }

  /** Whether it is kept for some worker, and was kept for long enough. */
  private boolean isLate(Part part) {
    return part.isSticky(request.group()) && availableMs(part) + request.stickyMs() <= model.nowMs;
  }

  /** Whether it is kept for another worker. */
  private boolean isOthers(Part part) {
    return part.isSticky(request.group())
        && !Objects.equals(part.workers.get(request.group()), request.worker());
  }

  private boolean isReserved(Part part) {
    return request.stickyMs() > 0 && isOthers(part) && !isLate(part);
  }

  private void reserved(Part part) {
    whys.add(new Why(Reason.RESERVED, availableMs(part) + request.stickyMs()));
  }

  private String nothing(boolean wholeQueue) {
    Why first = null;
    for (Why each : whys) {
      first = first == null || each.untilMs() < first.untilMs() ? each : first;
    }
    if (first != null) {
      long at = first.untilMs() == Long.MAX_VALUE ? 0 : first.untilMs();
      return "0 until 0 " + first.reason() + " at " + at;
    }
    if (wholeQueue && queue.ordered()) {
      Grant lock =
          model.grants.values().stream()
              .filter(g -> g.isLive() && g.queue == queue && g.group.equals(request.group()))
              .min(Comparator.comparingLong(g -> g.untilMs))
              .orElse(null);
      if (lock != null) {
        return "0 until 0 LOCKED at " + lock.untilMs;
      }
    }
    return "0 until 0 EMPTY at 0";
  }

  private String granted() {
    if (request.autoAck()) {
      grant.items.forEach(item -> item.message.share(request.group()).reset(State.DONE));
      return "0 until 0 NONE at 0";
    }
    if (joined) {
      long lengthMs = request.leaseMs() > 0 ? request.leaseMs() : grant.lengthMs;
      grant.untilMs = Math.max(grant.untilMs, model.nowMs + lengthMs);
    }
    if (!joined) {
      grant.attemptId = request.attemptId();
    }
    model.grants.put(grant.id, grant);
    return grant.id + " until " + grant.untilMs + " NONE at 0";
  }

  private boolean isFull() {
    return taken.size() >= request.batch() || grant.alone;
  }

  private void because(Reason reason, long untilMs) {
    if (why == null || untilMs < why.untilMs()) {
      why = new Why(reason, untilMs);
    }
  }

  /** Takes what one partition gives; answers how many messages that were. */
  private int take(Part part) {
    int before = taken.size();
    why = null;
    long window = queue.ms(QueueOption.WINDOW_BUFFER);
    if (window > 0 && part.lastPushMs + window > model.nowMs) {
      because(Reason.WINDOW, part.lastPushMs + window);
      part.forgetWorker(request.group());
      return 0;
    }
    int gated = -1;
    for (Msg message : part.inOrder()) {
      Share share = message.share(request.group());
      if (isFull()) {
        break;
      }
      if (message.lane == gated || share.state == State.HELD || share.state == State.DONE) {
        continue;
      }
      if (share.state == State.WAITING) {
        if (!takeFresh(part, message, share)) {
          gated = message.lane;
        }
      } else if (!takeBack(message, share) && queue.blocks()) {
        break;
      }
    }
    if (taken.size() > before) {
      part.served(request, stamp);
    } else if (why != null) {
      part.forgetWorker(request.group());
    }
    return taken.size() - before;
  }

  /** False if nothing fresh of this lane may be taken. */
  private boolean takeFresh(Part part, Msg message, Share share) {
    String group = request.group();
    long inFlight =
        part.messages.stream()
            .filter(m -> !m.isDelayed())
            .filter(m -> m.share(group).state == State.HELD || isBack(m, group, message))
            .count();
    if (inFlight >= queue.options.number(QueueOption.MAX_IN_FLIGHT)) {
      because(Reason.IN_FLIGHT_LIMIT, Long.MAX_VALUE);
      return false;
    }
    long gateMs = message.enteredMs + queue.ms(QueueOption.DELAYED_PROCESSING);
    if (gateMs > model.nowMs) {
      because(Reason.DELAYED, gateMs);
      return false;
    }
    if (queue.isTooOld(message, model.nowMs)) {
      share.reset(State.DONE);
    } else if (queue.waitedTooLong(message, model.nowMs)) {
      model.bury(message, group, 1);
    } else {
      hold(message, share, 1);
    }
    return true;
  }

  private static boolean isBack(Msg message, String group, Msg before) {
    return message != before && message.share(group).state == State.BACK;
  }

  /** False if it has to wait. */
  private boolean takeBack(Msg message, Share share) {
    if (queue.isTooOld(message, share, model.nowMs)) {
      share.reset(State.DONE);
      return true;
    }
    if (share.visibleAtMs > model.nowMs) {
      because(Reason.BACKOFF, Math.min(share.visibleAtMs, queue.tooOldAtMs(message, share)));
      return false;
    }
    if (share.expiries >= 2 && grant.open() > 0) {
      return false;
    }
    grant.alone |= share.expiries >= 2;
    hold(message, share, share.deliveries + 1);
    return true;
  }

  private void hold(Msg message, Share share, int attempt) {
    share.state = State.HELD;
    grant.items.add(new Item(message));
    taken.add(text(message, share, attempt));
  }

  private static String text(Msg message, Share share, int attempt) {
    return message.part.name
        + "/"
        + message.lane
        + "/"
        + message.seq
        + "="
        + message.idSeq
        + "#"
        + attempt
        + "!"
        + share.failures;
  }
}
