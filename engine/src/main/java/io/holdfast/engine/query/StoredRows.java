package io.holdfast.engine.query;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Page;
import io.holdfast.api.commit.JournalPage;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.RecordsRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.api.dead.DeadErrorsRequest;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.queue.QueueLoad;
import io.holdfast.api.task.TaskInfo;
import io.holdfast.api.task.TasksRequest;
import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.logic.Group;
import io.holdfast.engine.logic.JournalRow;
import io.holdfast.engine.logic.LaneLog;
import io.holdfast.engine.logic.LogicLimits;
import io.holdfast.engine.logic.Partition;
import io.holdfast.engine.logic.Queue;
import io.holdfast.engine.logic.TaskRow;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.View;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Questions that the stored rows answer by themselves. On reader threads, over a snapshot. */
public final class StoredRows {
  /** Most tasks that one page looks at to find those it wants. */
  private static final int TASKS_SCAN_MAX = 20_000;

  private final View rows;
  private final Map<Long, @Nullable Partition> partitions = new HashMap<>();

  public StoredRows(View rows) {
    this.rows = rows;
  }

  public JournalPage journal(JournalRequest request) {
    byte[] row = rows.get(Tables.journalLength(request.journal()));
    long length = row == null ? 0 : new ByteReader(row).varint();
    long end = Math.min(length, request.from() + request.limit());
    List<byte[]> events =
        request.from() < end
            ? JournalRow.read(rows, request.journal(), request.from(), end)
            : List.of();
    return new JournalPage(request.journal(), request.from(), events, length);
  }

  public StoredRecord record(String key) {
    byte[] row = rows.get(Tables.record(key));
    return row == null ? new StoredRecord(key, 0, new byte[0]) : record(key, row);
  }

  private static StoredRecord record(String key, byte[] row) {
    ByteReader in = new ByteReader(row);
    long version = in.varint();
    return new StoredRecord(key, version, Arrays.copyOfRange(row, in.at(), row.length));
  }

  public Page<StoredRecord> records(RecordsRequest request) {
    byte[] prefix = Tables.record(request.prefix());
    byte[] from = prefix;
    if (request.after() != null) {
      byte[] last = Tables.record(request.after());
      from = Arrays.copyOf(last, last.length + 1);
    }
    List<StoredRecord> items = new ArrayList<>();
    long bytes = 0;
    try (Rows each = rows.scan(from, Tables.after(prefix))) {
      while (each.next()) {
        if (items.size() == request.limit() || bytes >= LogicLimits.PAGE_BYTES_MAX) {
          return new Page<>(items, items.getLast().key());
        }
        byte[] key = each.key();
        items.add(record(new String(key, 1, key.length - 1, StandardCharsets.UTF_8), each.value()));
        bytes += items.getLast().value().length;
      }
    }
    return new Page<>(items, null);
  }

  /** How long the oldest of some messages has been in its lane; 0 without any. */
  public long ageMs(List<Looks.Head> heads, HeadTimes known, long nowMs) {
    long oldestMs = Long.MAX_VALUE;
    for (Looks.Head head : heads) {
      long enteredMs = known.get(head);
      if (enteredMs < 0) {
        Chunk chunk = LaneLog.search(rows, head.range(), head.seq());
        enteredMs = chunk == null ? Long.MAX_VALUE : chunk.enteredMs();
        if (chunk != null && chunk.covers(head.seq())) {
          known.put(head, enteredMs);
        }
      }
      oldestMs = Math.min(oldestMs, enteredMs);
    }
    return oldestMs == Long.MAX_VALUE ? 0 : Math.max(0, nowMs - oldestMs);
  }

  public static GroupInfo withLag(GroupInfo group, long lagMs) {
    return new GroupInfo(
        group.queue(),
        group.group(),
        group.start(),
        group.createdMs(),
        group.lag(),
        lagMs,
        group.waiting(),
        group.returned(),
        group.inFlight(),
        group.dead(),
        group.leases());
  }

  public static QueueLoad withAge(QueueLoad load, long oldestMs) {
    return new QueueLoad(
        load.queue(),
        load.lag(),
        oldestMs,
        load.pushed(),
        load.delivered(),
        load.acked(),
        load.nacked(),
        load.dead());
  }

  /** Whether a page may go on there, before a reader is asked: it is the caller's mistake. */
  public static void check(DeadLettersRequest request) {
    checkNumber(request.after());
  }

  public static void check(DeadErrorsRequest request) {
    checkNumber(request.after());
  }

  private static void checkNumber(@Nullable String after) {
    if (after != null) {
      number(after);
    }
  }

  public static void check(TasksRequest request) {
    if (request.after() != null) {
      for (String part : request.after().split("-", 2)) {
        number(part);
      }
    }
  }

  static long number(String after) {
    try {
      return Long.parseLong(after);
    } catch (NumberFormatException notOurs) {
      throw new InvalidArgumentException(
          "after: expected the next of an earlier page, but got something else", notOurs);
    }
  }

  @Nullable Partition partition(int queue, long number) {
    return partitions.computeIfAbsent(
        number,
        any -> {
          byte[] queueRow = rows.get(Tables.queue(queue));
          byte[] row = rows.get(Tables.partition(queue, number));
          return queueRow == null || row == null
              ? null
              : Partition.read(Queue.read(queue, queueRow), number, row);
        });
  }

  public Page<TaskInfo> tasks(int queue, TasksRequest request) {
    byte[] prefix = Tables.ofQueue(Tables.TASKS, queue);
    byte[] from = prefix;
    if (request.after() != null) {
      String[] parts = request.after().split("-", 2);
      from = Tables.task(queue, number(parts[0]), parts.length < 2 ? 0 : number(parts[1]) + 1);
    }
    List<TaskInfo> items = new ArrayList<>();
    int scanLeft = TASKS_SCAN_MAX;
    String last = null;
    try (Rows each = rows.scan(from, Tables.after(prefix))) {
      while (each.next()) {
        if (items.size() == request.limit() || scanLeft-- == 0) {
          return new Page<>(items, last);
        }
        long partitionNumber = Tables.partitionOf(each.key());
        long idSeq = Tables.lastSeq(each.key());
        last = partitionNumber + "-" + idSeq;
        Partition partition = partitionWithGroups(queue, partitionNumber);
        if (partition != null) {
          TaskRow row = TaskRow.read(each.value(), partition.queue);
          if (request.status() == null || request.status() == row.status()) {
            items.add(row.describe(partition, idSeq));
          }
        }
      }
    }
    return new Page<>(items, null);
  }

  private @Nullable Partition partitionWithGroups(int queue, long number) {
    Partition partition = partition(queue, number);
    if (partition != null && partition.queue.groups.isEmpty()) {
      byte[] prefix = Tables.ofQueue(Tables.GROUPS, queue);
      try (Rows each = rows.scan(prefix, Tables.after(prefix))) {
        while (each.next()) {
          int group = Tables.int4(each.key(), 5);
          partition.queue.groups.add(Group.read(partition.queue, group, each.value()));
        }
      }
    }
    return partition;
  }
}
