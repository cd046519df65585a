package io.holdfast.engine.logic;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.message.Moved;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.store.Tables;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Takes messages back, or makes them visible at another time, in whatever state they are. */
final class CancelHandler {
  private CancelHandler() {}

  static Reply cancel(Turn turn, MessageRef ref) {
    MessageId id = Finder.id(turn.state(), turn.tx(), ref);
    MessageState state = id == null ? null : cancel(turn, id);
    if (id == null || state == null) {
      return unknown();
    }
    return new Reply.MovedMessage(new Moved(id.uuid(), state, 0));
  }

  private static Reply unknown() {
    return Turn.refused(
        ErrorCode.NOT_FOUND, "there is no such message, or every group has settled it");
  }

  /** Takes a message back; answers the state it was in, or null if it was not there. */
  static @Nullable MessageState cancel(Turn turn, MessageId id) {
    SubscriptionRefresh.refresh(turn, turn.state().partition(id));
    Finder.Found found = Finder.find(turn.state(), turn.tx(), id);
    boolean dead = DeadLetters.removeAll(turn, id);
    MessageState state = dead ? MessageState.DEAD : null;
    if (found != null) {
      MessageState live =
          found.delayed() != null ? cancelDelayed(turn, found) : cancelInLane(turn, found, dead);
      state = live != null ? live : state;
    }
    if (state == null) {
      return null;
    }
    turn.totals().cancelled++;
    Partition partition = turn.state().partition(id);
    if (partition != null) {
      Tasks.cancelled(turn, partition, id.seq());
      forgetName(turn, partition, found, id);
    }
    return state;
  }

  /**
   * Takes a message back as a part of a commit, in which a later part may push one of its name: so
   * one that was settled, and is still stored, gives up its name as well.
   */
  static boolean cancelInCommit(Turn turn, MessageId id) {
    if (cancel(turn, id) != null) {
      return true;
    }
    Finder.Found found = Finder.find(turn.state(), turn.tx(), id);
    if (found != null) {
      forgetName(turn, found.partition(), found.chunk().transactionId(found.offset()), id);
    }
    return false;
  }

  private static void forgetName(
      Turn turn, Partition partition, Finder.@Nullable Found found, MessageId id) {
    if (found != null && found.delayed() == null && found.chunk().isMoved(found.offset())) {
      turn.tx().delete(Tables.moved(partition.queue.number, partition.number, id.seq()));
    }
    String name = found == null ? null : found.chunk().transactionId(found.offset());
    forgetName(turn, partition, name, id);
  }

  private static void forgetName(
      Turn turn, Partition partition, @Nullable String name, MessageId id) {
    if (name != null && id.equals(Finder.named(turn.tx(), partition, name))) {
      turn.tx().delete(Tables.name(partition.queue.number, partition.number, Tables.utf8(name)));
    }
  }

  private static MessageState cancelDelayed(Turn turn, Finder.Found found) {
    Partition partition = found.partition();
    Agenda.takeOut(
        turn,
        partition,
        Tables.delayed(partition.queue.number, partition.number, found.id().seq()));
    return MessageState.DELAYED;
  }

  /**
   * Takes a message out of its lane for all groups, also for those to come.
   *
   * @param dead whether it was a dead letter: then it is taken out even if all have settled it
   * @return the state it was in, or null if all groups have settled it
   */
  private static @Nullable MessageState cancelInLane(Turn turn, Finder.Found found, boolean dead) {
    Partition partition = found.partition();
    MessageState furthest = partition.subscriptions.isEmpty() ? MessageState.WAITING : null;
    for (Subscription subscription : partition.subscriptions) {
      Held held = Held.find(subscription, found.lane(), found.seq());
      MessageState state = held.state();
      if (state != null && (furthest == null || state.compareTo(furthest) > 0)) {
        furthest = state;
      }
    }
    if (furthest == null && !dead) {
      return null;
    }
    for (Subscription subscription : partition.subscriptions) {
      Held held = Held.find(subscription, found.lane(), found.seq());
      if (held.lease() != null && held.slice() != null) {
        new Settlement(turn, held.lease(), held.slice(), held.item()).cancel();
        Settlement.finish(turn, held.lease());
      } else if (held.returned() != null) {
        forgetReturned(turn, subscription, found.lane(), found.seq());
        Settlement.place(turn, subscription);
      }
    }
    makeHole(turn, partition, found.lane(), found.seq());
    forgetMove(turn, found);
    return furthest;
  }

  private static void forgetReturned(Turn turn, Subscription subscription, int lane, long seq) {
    LaneCursor cursor = subscription.cursor(lane);
    TreeMap<Long, Returned> all = cursor == null ? null : cursor.returned;
    Returned known = all == null ? null : all.remove(seq);
    if (cursor == null || known == null) {
      return;
    }
    subscription.returned--;
    subscription.group.returned--;
    if (seq >= cursor.nextSeq) {
      subscription.group.waiting++;
    }
    subscription.deleteReturned(turn.tx(), lane, seq, known);
  }

  private static void forgetMove(Turn turn, Finder.Found found) {
    Partition partition = found.partition();
    if (found.seq() != found.id().seq()) {
      turn.tx().delete(Tables.moved(partition.queue.number, partition.number, found.id().seq()));
    }
  }

  /** Leaves a hole where a message was, so that no cursor stops at it. */
  private static void makeHole(Turn turn, Partition partition, int number, long seq) {
    Lane lane = partition.lane(number);
    if (lane == null || seq < lane.firstSeq || seq >= lane.endSeq) {
      return;
    }
    partition.openCursors();
    TreeSet<Long> holes = lane.holes;
    if (holes == null) {
      holes = new TreeSet<>();
      lane.holes = holes;
    }
    if (!holes.add(seq)) {
      return;
    }
    turn.tx().put(Tables.hole(partition.queue.number, partition.number, number, seq), new byte[0]);
    for (Subscription subscription : partition.subscriptions) {
      LaneCursor cursor = subscription.cursor(lane);
      if (seq >= cursor.nextSeq) {
        cursor.holesAhead++;
        subscription.group.waiting--;
        subscription.group.place(subscription);
      }
    }
  }

  static Reply reschedule(Turn turn, MessageRef ref, long visibleAtMs) {
    MessageId id = Finder.id(turn.state(), turn.tx(), ref);
    Finder.Found found = id == null ? null : Finder.find(turn.state(), turn.tx(), id);
    if (id == null || found == null) {
      return unknown();
    }
    SubscriptionRefresh.refresh(turn, found.partition());
    if (found.delayed() != null) {
      cancelDelayed(turn, found);
      delay(turn, found, visibleAtMs);
      return moved(id, MessageState.DELAYED, visibleAtMs);
    }
    return rescheduleInLane(turn, id, found, visibleAtMs);
  }

  private static Reply moved(MessageId id, MessageState state, long visibleAtMs) {
    return new Reply.MovedMessage(new Moved(id.uuid(), state, visibleAtMs));
  }

  private static void delay(Turn turn, Finder.Found found, long visibleAtMs) {
    PushHandler.delay(
        turn,
        found.partition(),
        found.id().seq(),
        new Delayed(
            visibleAtMs,
            true,
            found.lane(),
            found.id().createdMs(),
            found.chunk().entry(found.offset())));
  }

  private static Reply rescheduleInLane(
      Turn turn, MessageId id, Finder.Found found, long visibleAtMs) {
    Partition partition = found.partition();
    MessageState furthest = null;
    boolean untouched = true;
    for (Subscription subscription : partition.subscriptions) {
      MessageState state = Held.find(subscription, found.lane(), found.seq()).state();
      untouched &= state == MessageState.WAITING;
      if (state != null && (furthest == null || state.compareTo(furthest) > 0)) {
        furthest = state;
      }
    }
    if (untouched) {
      Refusal noSeq = NumberLimits.seqs(turn.state(), partition, 1);
      if (noSeq != null) {
        return new Reply.Refused(noSeq);
      }
      makeHole(turn, partition, found.lane(), found.seq());
      forgetMove(turn, found);
      delay(turn, found, visibleAtMs);
      return moved(id, MessageState.WAITING, visibleAtMs);
    }
    if (furthest == null) {
      return unknown();
    }
    for (Subscription subscription : partition.subscriptions) {
      reschedule(turn, subscription, found, visibleAtMs);
    }
    return moved(id, furthest, visibleAtMs);
  }

  private static void reschedule(
      Turn turn, Subscription subscription, Finder.Found found, long visibleAtMs) {
    Held held = Held.find(subscription, found.lane(), found.seq());
    if (held.lease() != null && held.slice() != null) {
      new Settlement(turn, held.lease(), held.slice(), held.item()).reschedule(visibleAtMs);
      Settlement.finish(turn, held.lease());
      return;
    }
    if (held.state() == null) {
      return;
    }
    Partition partition = subscription.partition;
    Lane lane = partition.laneOrNew(found.lane());
    LaneCursor cursor = subscription.cursor(lane);
    Returned returned = held.returned();
    byte[] key = subscription.returnedKey(lane.number, found.seq());
    byte[] row = returned == null ? null : turn.tx().get(key);
    if (returned == null) {
      returned = new Returned();
      Map<Long, Returned> all = cursor.returnedOrNew();
      all.put(found.seq(), returned);
      subscription.returned++;
      subscription.group.returned++;
      subscription.group.waiting--;
    }
    returned.visibleAtMs = visibleAtMs;
    returned.atTime = true;
    turn.tx().put(key, returned.row(Returned.attempts(row)));
    Settlement.place(turn, subscription);
  }
}
