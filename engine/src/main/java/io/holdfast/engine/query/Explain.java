package io.holdfast.engine.query;

import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageDetail.GroupView;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.MessageState;
import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.logic.DeadRow;
import io.holdfast.engine.logic.Finder;
import io.holdfast.engine.logic.Group;
import io.holdfast.engine.logic.Held;
import io.holdfast.engine.logic.Lane;
import io.holdfast.engine.logic.LaneCursor;
import io.holdfast.engine.logic.Lease;
import io.holdfast.engine.logic.Partition;
import io.holdfast.engine.logic.Returned;
import io.holdfast.engine.logic.Rules;
import io.holdfast.engine.logic.Subscription;
import io.holdfast.engine.store.Tables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells of one message where it is, and why it is not being delivered. */
public final class Explain {
  private final ShardView view;
  private final Partition partition;
  private final MessageId id;

  private Explain(ShardView view, Partition partition, MessageId id) {
    this.view = view;
    this.partition = partition;
    this.id = id;
  }

  /** All there is to know of a message; null if there is none. */
  public static @Nullable MessageDetail message(ShardView view, MessageRef ref) {
    MessageId id = Finder.id(view.state(), view.rows(), ref);
    Partition partition = id == null ? null : view.state().partition(id);
    return id == null || partition == null ? null : new Explain(view, partition, id).detail();
  }

  private @Nullable MessageDetail detail() {
    Finder.Found found = Finder.find(view.state(), view.rows(), id);
    List<GroupView> groups = new ArrayList<>();
    DeadRow anyDead = null;
    for (Group group : partition.queue.groups) {
      DeadRow dead = dead(group);
      Subscription subscription = partition.subscription(group);
      if (dead != null) {
        anyDead = dead;
        groups.add(dead(group, dead));
      } else if (found != null && subscription != null) {
        groups.add(found.delayed() != null ? delayed(group, found) : live(subscription, found));
      }
    }
    if (found != null) {
      return new MessageDetail(found.message(), groups, explain(found, groups));
    }
    return anyDead == null
        ? null
        : new MessageDetail(
            anyDead.describe(partition).message(), groups, groups.getLast().explain());
  }

  private String explain(Finder.Found found, List<GroupView> groups) {
    if (found.delayed() != null) {
      return "It is delayed until " + Instant.ofEpochMilli(found.delayed().visibleAtMs()) + ".";
    }
    if (groups.isEmpty()) {
      return "It waits in queue " + partition.queue.name + ", which nobody has popped from yet.";
    }
    if (groups.size() == 1) {
      return groups.getFirst().explain();
    }
    StringBuilder all = new StringBuilder();
    for (GroupView group : groups) {
      all.append(all.isEmpty() ? "" : " ").append(group.group()).append(": ");
      all.append(group.explain());
    }
    return all.toString();
  }

  private @Nullable DeadRow dead(Group group) {
    byte[] key =
        view.rows()
            .get(Tables.deadId(partition.queue.number, partition.number, id.seq(), group.number));
    byte[] row = key == null ? null : view.rows().get(key);
    DeadRow dead = row == null ? null : DeadRow.read(row);
    return dead == null || dead.createdMs() != id.createdMs() ? null : dead;
  }

  private static GroupView dead(Group group, DeadRow dead) {
    return new GroupView(
        group.name,
        MessageState.DEAD,
        dead.failures(),
        dead.expiries(),
        0,
        null,
        null,
        0,
        dead.attempts(),
        "It died at "
            + Instant.ofEpochMilli(dead.diedMs())
            + " after "
            + dead.failures()
            + " failures and "
            + dead.expiries()
            + " expired leases"
            + (dead.error() == null ? "" : ": " + dead.error())
            + ". Requeue it to deliver it again.");
  }

  private static GroupView delayed(Group group, Finder.Found found) {
    long at = found.delayed() == null ? 0 : found.delayed().visibleAtMs();
    return new GroupView(
        group.name,
        MessageState.DELAYED,
        0,
        0,
        at,
        null,
        null,
        0,
        List.of(),
        "It is delayed until " + Instant.ofEpochMilli(at) + ".");
  }

  private GroupView live(Subscription subscription, Finder.Found found) {
    Held held = Held.find(subscription, found.lane(), found.seq());
    Returned returned = held.returned();
    byte[] row =
        returned == null
            ? null
            : view.rows().get(subscription.returnedKey(found.lane(), found.seq()));
    Lease lease = held.lease();
    MessageState state = held.state() == null ? MessageState.SETTLED : held.state();
    return new GroupView(
        subscription.group.name,
        state,
        returned == null ? 0 : returned.failures,
        returned == null ? 0 : returned.expiries,
        returned == null ? 0 : returned.visibleAtMs,
        lease == null ? null : LeaseId.text(lease.id),
        lease == null ? null : lease.worker,
        lease == null ? 0 : lease.untilMs,
        Returned.attempts(row),
        why(subscription, found, held));
  }

  private String why(Subscription subscription, Finder.Found found, Held held) {
    Lease lease = held.lease();
    if (lease != null) {
      return "It is held by "
          + (lease.worker == null ? "a worker" : "worker " + lease.worker)
          + " until "
          + Instant.ofEpochMilli(lease.untilMs)
          + ".";
    }
    if (held.state() == null) {
      return "It was settled, and is kept for completedRetentionSeconds.";
    }
    Rules rules = partition.queue.rules;
    if (partition.queue.paused) {
      return "It waits, because the queue is paused.";
    }
    Returned returned = held.returned();
    if (returned != null && returned.visibleAtMs > view.nowMs()) {
      return "It came back after "
          + returned.failures
          + " failures and waits for its retry at "
          + Instant.ofEpochMilli(returned.visibleAtMs)
          + ".";
    }
    String blocked = blocked(subscription, rules, found);
    return blocked != null
        ? blocked
        : returned != null
            ? "It came back, and goes out with the next pop."
            : "It is ready: the next pops deliver it in its turn, behind "
                + ahead(subscription, found)
                + " others.";
  }

  private @Nullable String blocked(Subscription subscription, Rules rules, Finder.Found found) {
    long quietAtMs = partition.lastPushMs + rules.windowMs;
    if (rules.windowMs > 0 && quietAtMs > view.nowMs()) {
      return "It waits until its partition has been quiet for windowBuffer, at the earliest at "
          + Instant.ofEpochMilli(quietAtMs)
          + ".";
    }
    Chunk chunk = found.chunk();
    if (rules.delayMs > 0 && chunk.enteredMs() + rules.delayMs > view.nowMs()) {
      return "It waits for the queue's delayedProcessing until "
          + Instant.ofEpochMilli(chunk.enteredMs() + rules.delayMs)
          + ".";
    }
    if (subscription.isLocked()) {
      return "It waits, because its partition is leased to somebody until "
          + Instant.ofEpochMilli(subscription.leases.untilMs())
          + " and delivery is ordered.";
    }
    if (subscription.inFlight + subscription.returned >= rules.maxInFlight) {
      return "It waits, because the group holds maxInFlight messages of its partition.";
    }
    return rules.blocks ? blockedByReturned(subscription, found) : null;
  }

  private @Nullable String blockedByReturned(Subscription subscription, Finder.Found found) {
    for (LaneCursor cursor = subscription.firstCursor; cursor != null; cursor = cursor.next) {
      if (cursor.lane > found.lane() || cursor.returned == null) {
        continue;
      }
      for (var entry : cursor.returned.entrySet()) {
        Returned other = entry.getValue();
        boolean before = cursor.lane < found.lane() || entry.getKey() < found.seq();
        if (before && other.holder == null && other.visibleAtMs > view.nowMs()) {
          return "It waits behind a message that failed and is retried at "
              + Instant.ofEpochMilli(other.visibleAtMs)
              + " (onFailure: block).";
        }
      }
    }
    return null;
  }

  private static long ahead(Subscription subscription, Finder.Found found) {
    long ahead = subscription.returned;
    for (Lane lane : subscription.partition.lanes) {
      LaneCursor cursor = subscription.cursor(lane);
      if (lane.number < found.lane()) {
        ahead += cursor.waiting(lane);
      } else if (lane.number == found.lane()) {
        Chunk chunk = found.chunk();
        ahead += Math.max(0, chunk.ordinal() + found.seq() - chunk.firstSeq() - cursor.taken);
      }
    }
    return ahead;
  }
}
