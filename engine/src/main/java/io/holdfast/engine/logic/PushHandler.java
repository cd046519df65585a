package io.holdfast.engine.logic;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.command.Command.PushMessages;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.Reply.PushedMessages.Duplicate;
import io.holdfast.engine.command.Reply.PushedMessages.Run;
import io.holdfast.engine.store.Tables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Stores messages: duplicates are found, bounds are checked, and only then anything changes. */
final class PushHandler {
  private PushHandler() {}

  static Reply apply(Turn turn, PushMessages command) {
    Reply answered =
        Requests.answered(turn, Requests.Kind.PUSH, command.requestId(), command.number());
    if (answered != null) {
      return answered;
    }
    Reply unsealed = unsealed(turn.state(), command.lanes());
    if (unsealed != null) {
      return unsealed;
    }
    List<Duplicate> duplicates = new ArrayList<>();
    List<Packed> fresh = new ArrayList<>(command.lanes().size());
    Names names = new Names(turn);
    for (Packed packed : command.lanes()) {
      Packed left = names.withoutDuplicates(packed, duplicates);
      if (left.count() > 0) {
        fresh.add(left);
      }
    }
    Refusal refusal = refusal(turn, fresh, new Planned(), Queue::unsettled);
    if (refusal != null) {
      return new Reply.Refused(refusal);
    }
    List<Run> runs = new ArrayList<>(fresh.size());
    for (Packed packed : fresh) {
      runs.add(store(turn, packed));
    }
    Names.resolve(runs, duplicates);
    turn.totals().duplicates += duplicates.size();
    Reply reply = new Reply.PushedMessages(runs, duplicates, command.count());
    Requests.remember(turn, Requests.Kind.PUSH, command.requestId(), command.number(), reply);
    return reply;
  }

  /** What is answered to messages whose queues keep only sealed ones; null if none is amiss. */
  static @Nullable Reply unsealed(ShardState state, List<Packed> lanes) {
    return unsealed(state, lanes, Set.of());
  }

  /**
   * The same before the messages are ordered.
   *
   * @param encrypting queues whose encryption commands that are not applied yet may turn on
   */
  static @Nullable Reply unsealed(ShardState state, List<Packed> lanes, Set<String> encrypting) {
    if (!state.hasEncryptedQueues() && encrypting.isEmpty()) {
      return null;
    }
    Set<String> queues = new HashSet<>();
    for (Packed packed : lanes) {
      Queue queue = state.queue(packed.queue());
      boolean encrypts = queue != null && queue.rules.encrypts;
      if ((encrypts || encrypting.contains(packed.queue())) && !packed.isSealed()) {
        queues.add(packed.queue());
      }
    }
    return queues.isEmpty() ? null : new Reply.Unsealed(queues);
  }

  /**
   * Why messages cannot be stored, or null.
   *
   * @param planned what the same commit makes besides these; it is added to
   * @param unsettled how many unsettled messages a queue has to be counted with
   */
  static @Nullable Refusal refusal(
      Turn turn, List<Packed> fresh, Planned planned, ToLongFunction<Queue> unsettled) {
    for (Packed packed : fresh) {
      Refusal refusal = refusal(turn, packed, packed.count(), planned, unsettled);
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  /**
   * Why so many messages of a chunk cannot be stored, or null.
   *
   * @param planned what the same commit makes besides these; it is added to
   * @param unsettled how many unsettled messages a queue has to be counted with
   */
  static @Nullable Refusal refusal(
      Turn turn, Packed packed, int fresh, Planned planned, ToLongFunction<Queue> unsettled) {
    ShardState state = turn.state();
    Queue queue = state.queue(packed.queue());
    if (queue == null) {
      planned.queues.add(packed.queue());
    }
    Partition partition = queue == null ? null : queue.partitions.get(packed.partition());
    if (planned.lanes(packed, queue, partition) > LogicLimits.LANES_MAX) {
      return Refusal.of(
          ErrorCode.LIMIT,
          "partition "
              + packed.partition()
              + " of queue "
              + packed.queue()
              + " may have "
              + LogicLimits.LANES_MAX
              + " lanes in use");
    }
    long maxSize = queue == null ? 0 : queue.rules.maxSize;
    if (queue != null && maxSize > 0) {
      long count = planned.counts.merge(packed.queue(), (long) fresh, Long::sum);
      if (unsettled.applyAsLong(queue) + count > maxSize) {
        return Refusal.of(
            ErrorCode.FULL,
            "queue "
                + queue.name
                + " takes "
                + maxSize
                + " unsettled messages (maxSize), holds "
                + unsettled.applyAsLong(queue)
                + ", and got "
                + count
                + " more");
      }
    }
    // A delayed message takes a second seq when it enters its lane.
    Refusal refusal = partition == null ? null : NumberLimits.seqs(state, partition, 2L * fresh);
    if (refusal == null) {
      refusal = NumberLimits.queues(state, planned.queues.size());
    }
    if (refusal == null) {
      refusal = NumberLimits.partitions(state, planned.partitions.size());
    }
    return refusal != null || planned.subscriptions == 0
        ? refusal
        : tooManySubscriptions(state, state.subscriptionCount + planned.subscriptions);
  }

  /** Why there cannot be so many subscriptions, or null. */
  static @Nullable Refusal tooManySubscriptions(ShardState state, long subscriptions) {
    return subscriptions <= state.limits().partitionsMax()
        ? null
        : Refusal.of(
            ErrorCode.LIMIT,
            "the broker may have "
                + state.limits().partitionsMax()
                + " partitions, each counted for every group that reads it");
  }

  /** What a push or a commit makes that is new, so that it is counted against the limits. */
  static final class Planned {
    private final Map<String, Long> counts = new HashMap<>();
    private final Set<String> queues = new HashSet<>();
    private final Set<String> partitions = new HashSet<>();
    private long subscriptions;
    private final Map<String, Set<Integer>> lanes = new HashMap<>();

    /** How many lanes a partition will have; 0 if it need not have another one. */
    private int lanes(Packed packed, @Nullable Queue queue, @Nullable Partition partition) {
      if (partition != null && partition.lane(packed.lane()) != null) {
        return 0;
      }
      String place = packed.queue() + '\n' + packed.partition();
      if (partition == null && partitions.add(place) && queue != null) {
        subscriptions += queue.groups.size();
      }
      Set<Integer> made = lanes.computeIfAbsent(place, any -> new HashSet<>());
      return made.add(packed.lane())
          ? made.size() + (partition == null ? 0 : partition.lanes.size())
          : 0;
    }
  }

  /** Stores the messages of one chunk, and makes their queue and partition if they are new. */
  static Run store(Turn turn, Packed packed) {
    Partition partition = partitionOrNew(turn, packed.queue(), packed.partition());
    long nowMs = turn.nowMs();
    partition.lastPushMs = nowMs;
    turn.state().touch(partition);
    turn.totals().pushed += packed.count();
    partition.queue.pushed += packed.count();
    long visibleAtMs = packed.delayMs() > 0 ? nowMs + packed.delayMs() : packed.visibleAtMs();
    long firstSeq;
    if (visibleAtMs > nowMs) {
      firstSeq = partition.nextSeq++;
      byte[] entry = new Chunk(0, packed.bytes()).entry(Chunk.HEADER_BYTES);
      boolean atTime = packed.delayMs() == 0;
      delay(
          turn, partition, firstSeq, new Delayed(visibleAtMs, atTime, packed.lane(), nowMs, entry));
      if (partition.queue.rules.windowMs > 0) {
        // The window begins anew, also for groups that were told when the last one ends.
        partition.subscriptions.forEach(subscription -> subscription.group.place(subscription));
      }
    } else {
      firstSeq = enter(turn, partition, packed.lane(), packed.bytes(), packed.count());
    }
    for (int i = 0; i < packed.names().size(); i++) {
      String name = packed.names().get(i);
      if (name != null) {
        Names.put(turn, partition, name, nowMs, firstSeq + i);
      }
    }
    if (!packed.names().isEmpty() && visibleAtMs <= nowMs) {
      Lane lane = partition.laneOrNew(packed.lane());
      lane.indexed += packed.names().stream().filter(name -> name != null).count();
    }
    if (partition.queue.rules.track) {
      Tasks.published(turn, partition, packed, firstSeq);
    }
    return new Run(nowMs, partition.number, firstSeq, packed.items());
  }

  static Partition partitionOrNew(Turn turn, String queueName, String name) {
    Queue queue = queueOrNew(turn, queueName);
    Partition partition = queue.partitions.get(name);
    SubscriptionRefresh.refresh(turn, partition);
    return partition != null ? partition : turn.state().newPartition(queue, name, turn.nowMs());
  }

  /** The queue; one that is made here takes namespace and task from a dotted name. */
  static Queue queueOrNew(Turn turn, String name) {
    Queue queue = turn.state().queue(name);
    if (queue != null) {
      return queue;
    }
    int dot = name.indexOf('.');
    QueueOptions options =
        dot <= 0 || dot == name.length() - 1
            ? QueueOptions.DEFAULTS
            : QueueOptions.of(
                Map.of(
                    QueueOption.NAMESPACE, name.substring(0, dot),
                    QueueOption.TASK, name.substring(dot + 1)));
    return turn.state().newQueue(name, turn.nowMs(), options);
  }

  /** Adds a chunk to a lane's tail and answers the seq of its first message. */
  static long enter(Turn turn, Partition partition, int number, byte[] bytes, int count) {
    // Before the lane grows: it matters whether there was something to take.
    partition.subscriptions.forEach(subscription -> subscription.entering(turn));
    Lane lane = partition.laneOrNew(number);
    lane.tracked |= partition.queue.rules.track;
    long firstSeq = partition.nextSeq;
    partition.nextSeq += count;
    if (partition.nextSeq > MessageId.SEQ_END) {
      throw new IllegalStateException(
          partition.title() + " has no seqs left, and a command was not refused");
    }
    Chunk chunk =
        Chunk.entered(bytes, firstSeq, count, turn.stamp(), lane.entered, lane.enteredBytes);
    Queue queue = partition.queue;
    turn.tx().put(Tables.message(queue.number, partition.number, number, firstSeq), chunk.bytes());
    turn.state().cache.add(partition.number, number, chunk);
    lane.firstMs = lane.isEmpty() ? turn.nowMs() : lane.firstMs;
    lane.endSeq = firstSeq + count;
    lane.entered += count;
    lane.enteredBytes += bytes.length;
    lane.lastEnteredMs = turn.nowMs();
    queue.stored += count;
    queue.storedBytes += bytes.length;
    turn.state().storedBytes += bytes.length;
    turn.state().touch(partition);
    for (Subscription subscription : partition.subscriptions) {
      Group group = subscription.group;
      group.waiting += count;
      if (!group.starts.isEmpty()) {
        Cursors.passEarly(turn, subscription, lane, count);
      }
      if (subscription.place() != Subscription.Place.READY) {
        group.place(subscription);
      }
    }
    turn.wake(partition);
    return firstSeq;
  }

  /** Keeps a message aside until it is due. */
  static void delay(Turn turn, Partition partition, long idSeq, Delayed message) {
    byte[] key = Tables.delayed(partition.queue.number, partition.number, idSeq);
    turn.tx().put(key, message.row());
    Agenda.add(turn, message.visibleAtMs(), key);
    partition.delayed++;
    partition.queue.delayed++;
    turn.state().touch(partition);
  }
}
