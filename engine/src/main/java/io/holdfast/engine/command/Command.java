package io.holdfast.engine.command;

import io.holdfast.api.ConfigureRequest;
import io.holdfast.api.DeadLetterFilter;
import io.holdfast.api.MessageRef;
import io.holdfast.api.Operation;
import io.holdfast.api.PopRequest;
import io.holdfast.api.SeekRequest;
import io.holdfast.api.SettleRequest;
import io.holdfast.api.StartRequest;
import io.holdfast.api.SubscribeRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything that can change a shard. What is not listed here cannot happen. */
public sealed interface Command {
  /** Stores messages, all or none, duplicates aside. */
  record PushMessages(List<Packed> lanes, int count, @Nullable String requestId)
      implements Command {}

  /** Settles what the request carries, then leases or hands out messages. */
  record PopMessages(PopRequest request) implements Command {}

  record SettleMessages(SettleRequest request) implements Command {}

  record ExtendLease(String leaseId, long leaseMs) implements Command {}

  record StartTask(StartRequest request) implements Command {}

  /** Does several things, all or none. */
  record CommitOperations(List<Part> parts, @Nullable String requestId) implements Command {}

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

  /** Lets time pass: what is due happens, and a bounded part of the store is swept. */
  record Tick(boolean sweep) implements Command {}

  /** One operation of a commit: a push already packed, or anything else as it was asked. */
  sealed interface Part {
    record Push(Packed message, boolean ignoreDuplicate) implements Part {}

    record Other(Operation operation) implements Part {}
  }
}
