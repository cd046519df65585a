package io.holdfast.engine.logic;

import io.holdfast.api.task.TaskInfo;
import io.holdfast.api.task.TaskStatus;
import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.command.MessageId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The life of a tracked message, as it is stored.
 *
 * <p>Only the rules of this package change it; other packages read its public fields.
 */
public final class TaskRow {
  /** The task as one group has it; its number is 0 until the first group comes. */
  static final class Part {
    final int group;
    TaskStatus status = TaskStatus.QUEUED;
    @Nullable String worker;
    int attempts;

    Part(int group) {
      this.group = group;
    }
  }

  @Nullable String transactionId;
  public long publishedMs;
  long receivedMs;
  long startedMs;
  long endedMs;
  @Nullable String worker;
  @Nullable String error;
  final List<Part> parts = new ArrayList<>(1);

  /** The part of a group; the first group to come takes a task that was for nobody. */
  @Nullable Part part(int group) {
    for (Part part : parts) {
      if (part.group == group) {
        return part;
      }
    }
    if (parts.isEmpty()) {
      Part first = new Part(group);
      parts.add(first);
      return first;
    }
    return null;
  }

  /** The status of the whole: what the group that is furthest from its end says. */
  public TaskStatus status() {
    if (parts.isEmpty()) {
      return TaskStatus.QUEUED;
    }
    TaskStatus least = TaskStatus.COMPLETE;
    for (Part part : parts) {
      least = rank(part.status) < rank(least) ? part.status : least;
    }
    return least;
  }

  private static int rank(TaskStatus status) {
    return switch (status) {
      case RUNNING -> 0;
      case RECEIVED -> 1;
      case FAILED -> 2;
      case QUEUED -> 3;
      case DEAD -> 4;
      case COMPLETE -> 5;
    };
  }

  boolean isOver() {
    return rank(status()) >= rank(TaskStatus.DEAD);
  }

  /**
   * Takes out the groups that were deleted, so that nobody waits for them. What such a group has
   * completed stays done, and so does a task that died of the only group it had.
   *
   * @return whether that changed anything
   */
  boolean dropDeleted(Queue queue) {
    int before = parts.size();
    for (int i = before - 1; i >= 0; i--) {
      Part part = parts.get(i);
      boolean stays =
          part.status == TaskStatus.COMPLETE
              || (part.status == TaskStatus.DEAD && parts.size() == 1)
              || queue.group(part.group) != null;
      if (!stays) {
        parts.remove(i);
      }
    }
    return parts.size() < before;
  }

  byte[] bytes() {
    ByteWriter out = new ByteWriter(64);
    out.maybe(transactionId)
        .varint(publishedMs)
        .varint(receivedMs)
        .varint(startedMs)
        .varint(endedMs)
        .maybe(worker)
        .maybe(error)
        .varint(parts.size());
    for (Part part : parts) {
      out.varint(part.group).text(part.status.name()).maybe(part.worker).varint(part.attempts);
    }
    return out.done();
  }

  /** A row as it counts now: without the groups that were deleted since it was written. */
  public static TaskRow read(byte[] bytes, Queue queue) {
    TaskRow row = read(bytes);
    row.dropDeleted(queue);
    return row;
  }

  public static TaskRow read(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    TaskRow row = new TaskRow();
    row.transactionId = in.maybe();
    row.publishedMs = in.varint();
    row.receivedMs = in.varint();
    row.startedMs = in.varint();
    row.endedMs = in.varint();
    row.worker = in.maybe();
    row.error = in.maybe();
    for (int left = in.count(); left > 0; left--) {
      Part part = new Part(in.count());
      part.status = TaskStatus.valueOf(in.text());
      part.worker = in.maybe();
      part.attempts = in.count();
      row.parts.add(part);
    }
    return row;
  }

  public TaskInfo describe(Partition partition, long idSeq) {
    List<TaskInfo.TaskGroup> groups = new ArrayList<>();
    int attempts = 0;
    for (Part part : parts) {
      Group group = partition.queue.group(part.group);
      if (group != null) {
        groups.add(new TaskInfo.TaskGroup(group.name, part.status, part.worker, part.attempts));
      }
      attempts += part.attempts;
    }
    return new TaskInfo(
        MessageId.uuid(publishedMs, partition.number, idSeq),
        partition.queue.name,
        partition.name,
        transactionId,
        status(),
        publishedMs,
        receivedMs,
        startedMs,
        isOver() ? endedMs : 0,
        worker,
        attempts,
        error,
        groups);
  }
}
