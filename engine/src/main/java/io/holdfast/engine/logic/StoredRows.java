package io.holdfast.engine.logic;

import io.holdfast.api.DeadLetter;
import io.holdfast.api.DeadLetterFilter;
import io.holdfast.api.DeadLetters;
import io.holdfast.api.DeadLettersRequest;
import io.holdfast.api.GroupInfo;
import io.holdfast.api.JournalPage;
import io.holdfast.api.JournalRequest;
import io.holdfast.api.Page;
import io.holdfast.api.RecordsRequest;
import io.holdfast.api.StoredRecord;
import io.holdfast.api.TaskInfo;
import io.holdfast.api.TasksRequest;
import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.Chunk;
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
    List<byte[]> events = new ArrayList<>();
    long end = Math.min(length, request.from() + request.limit());
    if (request.from() < end) {
      byte[] from = Tables.journal(request.journal(), request.from());
      try (Rows each = rows.scan(from, Tables.journal(request.journal(), end))) {
        while (each.next()) {
          events.add(each.value());
        }
      }
    }
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
    try (Rows each = rows.scan(from, Tables.after(prefix))) {
      while (each.next()) {
        if (items.size() == request.limit()) {
          return new Page<>(items, items.getLast().key());
        }
        byte[] key = each.key();
        items.add(record(new String(key, 1, key.length - 1, StandardCharsets.UTF_8), each.value()));
      }
    }
    return new Page<>(items, null);
  }

  /** How long the oldest unsettled message of a group has been in its lane. */
  public GroupInfo withLag(GroupInfo group, List<Looks.Head> heads, long nowMs) {
    long oldestMs = Long.MAX_VALUE;
    for (Looks.Head head : heads) {
      Chunk chunk = LaneLog.search(rows, head.range(), head.seq());
      if (chunk != null) {
        oldestMs = Math.min(oldestMs, chunk.enteredMs());
      }
    }
    long lagMs = oldestMs == Long.MAX_VALUE ? 0 : Math.max(0, nowMs - oldestMs);
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

  public DeadLetters deadLetters(int queue, DeadLettersRequest request) {
    long after = request.after() == null ? 0 : number(request.after());
    List<DeadLetter> items = new ArrayList<>();
    long total = 0;
    long bytes = 0;
    String next = null;
    long last = 0;
    byte[] prefix = Tables.ofQueue(Tables.DEAD, queue);
    try (Rows each = rows.scan(prefix, Tables.after(prefix))) {
      while (each.next()) {
        long number = Tables.long8(each.key(), 5);
        DeadRow row = DeadRow.read(each.value());
        Partition partition = partition(queue, row.partition());
        if (partition == null || !row.matches(request.filter(), partition)) {
          continue;
        }
        total++;
        boolean room = items.size() < request.limit() && bytes < LogicLimits.PAGE_BYTES_MAX;
        if (number > after && room) {
          items.add(row.describe(partition));
          bytes += items.getLast().message().payload().length;
          last = number;
        } else if (number > after && next == null) {
          next = Long.toString(last);
        }
      }
    }
    return new DeadLetters(items, total, next);
  }

  /** How many dead letters match. */
  public long countDead(int queue, DeadLetterFilter filter) {
    return deadLetters(queue, new DeadLettersRequest(filter, null, 1)).total();
  }

  /** Whether a page may go on there, before a reader is asked: it is the caller's mistake. */
  public static void check(DeadLettersRequest request) {
    if (request.after() != null) {
      number(request.after());
    }
  }

  public static void check(TasksRequest request) {
    if (request.after() != null) {
      for (String part : request.after().split("-", 2)) {
        number(part);
      }
    }
  }

  private static long number(String after) {
    try {
      return Long.parseLong(after);
    } catch (NumberFormatException notOurs) {
      throw new IllegalArgumentException(
          "after: expected the next of an earlier page, but got something else", notOurs);
    }
  }

  private @Nullable Partition partition(int queue, long number) {
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
        long partitionNumber = Tables.long5(each.key(), 5);
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
