package io.holdfast.engine.command;

import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RequestNumber;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.group.SubscribeRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.task.StartRequest;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Everything that can change a shard. What is not listed here cannot happen. */
public sealed interface Command {
  /** Stores messages, all or none, duplicates aside. */
  record PushMessages(
      List<Packed> lanes, int count, @Nullable String requestId, @Nullable RequestNumber number)
      implements Command {
    public PushMessages(List<Packed> lanes, int count, @Nullable String requestId) {
      this(lanes, count, requestId, null);
    }
  }

  /** Opens a producer session. */
  record OpenSession() implements Command {}

  /**
   * Settles what the request carries, then leases or hands out messages.
   *
   * @param keys the ids of the keys that whoever asks can open payloads with: what is sealed with
   *     another is not taken
   */
  record PopMessages(PopRequest request, Set<Integer> keys) implements Command {
    public PopMessages(PopRequest request) {
      this(request, Set.of());
    }
  }

  record SettleMessages(SettleRequest request) implements Command {}

  record ExtendLease(String leaseId, long leaseMs) implements Command {}

  record StartTask(StartRequest request) implements Command {}

  /** Does several things, all or none. */
  record CommitOperations(
      List<Part> parts, @Nullable String requestId, @Nullable RequestNumber number)
      implements Command {
    public CommitOperations(List<Part> parts, @Nullable String requestId) {
      this(parts, requestId, null);
    }
  }

  record CancelMessage(MessageRef message) implements Command {}

  record RescheduleMessage(MessageRef message, long visibleAtMs) implements Command {}

  record ConfigureQueue(ConfigureRequest request) implements Command {}

  record PauseQueue(String queue, boolean paused) implements Command {}

  /** Empties a partition, or a bounded number of them from a name on. */
  record PurgeQueue(String queue, @Nullable String partition, @Nullable String from)
      implements Command {}

  record DeleteQueue(String queue) implements Command {}

  /** Moves a group on a bounded number of partitions, from a name on. */
  record SeekGroup(SeekRequest request, @Nullable String from) implements Command {}

  /** Changes where a group begins on partitions that come later. */
  record SubscribeGroup(SubscribeRequest request) implements Command {}

  /**
   * Removes dead letters of a group whose number is greater than one, looking at a bounded number;
   * deletes the group once none is left.
   */
  record DeleteGroup(String queue, String group, long after) implements Command {}

  /** Requeues dead letters whose number is greater than one, looking at a bounded number. */
  record RequeueDead(DeadLetterFilter filter, long after) implements Command {}

  /** Removes dead letters likewise. */
  record RemoveDead(DeadLetterFilter filter, long after) implements Command {}

  /** Sets the limits that the rules apply. */
  record SetLimits(ShardLimits limits) implements Command {}

  /**
   * Lets time pass: what is due happens.
   *
   * @param sweep where the sweep of a bounded number of partitions begins; null for no sweep
   */
  record Tick(@Nullable SweepFrom sweep) implements Command {
    /** A sweep of the partitions behind a name, in a queue and those with greater numbers. */
    public record SweepFrom(int queue, String partition) {
      public static final SweepFrom START = new SweepFrom(0, "");
    }
  }

  /** Raises the format level of the shard, when every node knows it. */
  record RaiseFormat(int level) implements Command {}

  /** What a commit does: pushes already packed, or any other operation as it was asked. */
  sealed interface Part {
    /** How many operations of the request it stands for. */
    int operations();

    /** Operations one after the other that push messages to the same lane. */
    record Push(Packed messages, boolean ignoreDuplicate) implements Part {
      @Override
      public int operations() {
        return messages.count();
      }
    }

    record Other(Operation operation) implements Part {
      @Override
      public int operations() {
        return 1;
      }
    }
  }
}
