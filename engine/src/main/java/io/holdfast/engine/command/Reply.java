package io.holdfast.engine.command;

import io.holdfast.api.Refusal;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.group.Sought;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.Moved;
import io.holdfast.api.queue.Affected;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.task.TaskInfo;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a command is answered. */
public sealed interface Reply {
  /** The command was refused and changed nothing. */
  record Refused(Refusal refusal) implements Reply {}

  /**
   * Payloads came as they are for queues that keep only sealed ones; nothing changed. Seal them,
   * and ask again.
   */
  record Unsealed(Set<String> queues) implements Reply {}

  /**
   * Messages were pushed.
   *
   * @param runs what was stored
   * @param duplicates what was not
   */
  record PushedMessages(List<Run> runs, List<Duplicate> duplicates, int count) implements Reply {
    /** Messages of consecutive seqs, and where each stood in the request. */
    public record Run(long createdMs, long partition, long firstSeq, int[] items) {}

    public record Duplicate(int item, UUID id, long partition) {}
  }

  /** A producer session was opened. */
  record SessionOpened(long session) implements Reply {}

  /**
   * Messages were popped, or not. What a pop with autoAck takes is settled, unless the reply names
   * a lease: then something of it is sealed, and is to be acked by whoever has opened it.
   *
   * @param more whether the same pop would probably bring more at once
   * @param unreadable why nothing is given although there is something; null if that is not so
   */
  record PoppedMessages(
      List<Taken> messages,
      long lease,
      long leaseUntilMs,
      Popped.Reason reason,
      long retryAtMs,
      List<SettleVerdict> settled,
      boolean more,
      @Nullable Refusal unreadable)
      implements Reply {
    public PoppedMessages(
        List<Taken> messages,
        long lease,
        long leaseUntilMs,
        Popped.Reason reason,
        long retryAtMs,
        List<SettleVerdict> settled,
        boolean more) {
      this(messages, lease, leaseUntilMs, reason, retryAtMs, settled, more, null);
    }

    /** The same, with these verdicts. */
    public PoppedMessages settled(List<SettleVerdict> verdicts) {
      return new PoppedMessages(
          messages, lease, leaseUntilMs, reason, retryAtMs, verdicts, more, unreadable);
    }
  }

  /** A message as it was taken: the chunk it is in, undecoded. */
  record Taken(
      String queue,
      String partition,
      long partitionId,
      int lane,
      long seq,
      Chunk chunk,
      int offset,
      int attempt,
      int failures,
      int expiries) {}

  record SettledMessages(List<SettleVerdict> verdicts) implements Reply {}

  /** A lease has more time; {@code news} says that it lost messages its holder was not told of. */
  record ExtendedLease(Extended extended, boolean news) implements Reply {}

  record StartedTask(TaskInfo task) implements Reply {}

  record CommittedOperations(Committed committed) implements Reply {}

  record MovedMessage(Moved moved) implements Reply {}

  record ConfiguredQueue(QueueInfo queue) implements Reply {}

  /** A group was moved; {@code next} is the partition to go on with, or null at the end. */
  record SoughtGroup(Sought sought, @Nullable String next) implements Reply {}

  /** A group begins elsewhere; {@code before} is where it began so far. */
  record ChangedStart(StartFrom before) implements Reply {}

  /** Partitions were emptied; {@code next} likewise. */
  record PurgedPart(long count, @Nullable String next) implements Reply {}

  record ChangedMessages(Affected affected) implements Reply {}

  /** A bounded part of a bulk operation; {@code next} is where to go on, or -1 at the end. */
  record ChangedPart(long count, long next) implements Reply {}

  /** The limits of the shard were set. */
  record LimitsSet() implements Reply {}

  /** The shard has this format level. */
  record RaisedFormat(int level) implements Reply {}

  /** Time passed; {@code again} says that more is due already. */
  record Ticked(boolean again) implements Reply {}
}
