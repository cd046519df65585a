package io.holdfast.engine.query;

import io.holdfast.api.dead.DeadErrors;
import io.holdfast.api.dead.DeadErrorsRequest;
import io.holdfast.api.dead.DeadLetter;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLetters;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.logic.DeadRow;
import io.holdfast.engine.logic.LogicLimits;
import io.holdfast.engine.logic.Partition;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.View;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored dead letters of a queue. On reader threads, over a snapshot.
 *
 * <p>Their numbers and the times of their deaths grow together, so a time is found by a search.
 */
public final class StoredDead {
  private final View rows;
  private final StoredRows partitions;
  private final int queue;

  /** The partition of the message that is asked for; 0 if it is not there. */
  private final long partition;

  public StoredDead(View rows, Looks.Dead dead) {
    this.rows = rows;
    this.partitions = new StoredRows(rows);
    this.queue = dead.queue();
    this.partition = dead.partition();
  }

  /** A page being gathered, and a count of all that match. */
  private final class Gathering {
    private final DeadLettersRequest request;
    private final long after;
    private final boolean counts;
    private final List<DeadLetter> items = new ArrayList<>();
    private long total;
    private long bytes;
    private long last;
    private @Nullable String next;

    Gathering(DeadLettersRequest request, boolean counts) {
      this.request = request;
      this.after = request.after() == null ? 0 : StoredRows.number(request.after());
      this.counts = counts;
    }

    /** Takes in a row; answers whether more are wanted. */
    boolean take(long number, byte[] value) {
      Partition partition = matching(value);
      if (partition == null) {
        return true;
      }
      total++;
      if (number <= after) {
        return true;
      }
      if (items.size() < request.limit() && bytes < LogicLimits.PAGE_BYTES_MAX) {
        items.add(DeadRow.read(value).describe(partition));
        bytes += items.getLast().message().payload().length;
        last = number;
      } else if (next == null) {
        next = Long.toString(last);
      }
      return counts || next == null;
    }

    private @Nullable Partition matching(byte[] value) {
      DeadLetterFilter filter = request.filter();
      DeadRow.Head head = DeadRow.Head.read(value);
      Partition partition = partitions.partition(queue, head.partition());
      if (partition == null || !head.matches(filter, partition)) {
        return null;
      }
      return filter.messageId() == null || filter.messageId().equals(DeadRow.read(value).id())
          ? partition
          : null;
    }

    DeadLetters page(long known) {
      return new DeadLetters(items, counts ? total : known, next);
    }
  }

  /**
   * A page of dead letters.
   *
   * @param known how many match on all pages; below 0 if they have to be counted
   */
  public DeadLetters page(DeadLettersRequest request, long known) {
    boolean counts = known < 0 && request.counted();
    Gathering gathering = new Gathering(request, counts);
    DeadLetterFilter filter = request.filter();
    if (filter.messageId() != null) {
      ofMessage(gathering, MessageId.of(filter.messageId()));
      return gathering.page(request.counted() ? known : -1);
    }
    long first = firstDiedFrom(filter.fromMs());
    long from = counts ? first : Math.max(first, gathering.after + 1);
    try (Rows each = rows.scan(Tables.dead(queue, from), end())) {
      while (each.next()) {
        byte[] value = each.value();
        if (!gathering.take(Tables.long8(each.key(), 5), value)
            || DeadRow.Head.read(value).diedMs() >= filter.toMs()) {
          break;
        }
      }
    }
    return gathering.page(request.counted() ? known : -1);
  }

  private void ofMessage(Gathering gathering, MessageId id) {
    byte[] from = Tables.deadId(queue, partition, id.seq(), 0);
    byte[] to = Tables.deadId(queue, partition, id.seq() + 1, 0);
    List<byte[]> keys = new ArrayList<>();
    try (Rows ids = rows.scan(from, to)) {
      while (ids.next()) {
        keys.add(ids.value());
      }
    }
    keys.sort((one, other) -> Long.compare(Tables.long8(one, 5), Tables.long8(other, 5)));
    for (byte[] key : keys) {
      byte[] value = rows.get(key);
      if (value != null) {
        gathering.take(Tables.long8(key, 5), value);
      }
    }
  }

  private byte[] end() {
    return Tables.after(Tables.ofQueue(Tables.DEAD, queue));
  }

  /** The number of the first dead letter that died at or after a time, or one before it. */
  private long firstDiedFrom(long fromMs) {
    if (fromMs == 0) {
      return 0;
    }
    long low = 0;
    long high = lastNumber();
    while (low < high) {
      long middle = low + (high - low) / 2;
      long diedMs = Long.MAX_VALUE;
      long number = high;
      try (Rows each = rows.scan(Tables.dead(queue, middle), end())) {
        if (each.next()) {
          diedMs = DeadRow.Head.read(each.value()).diedMs();
          number = Tables.long8(each.key(), 5);
        }
      }
      if (diedMs >= fromMs) {
        high = middle;
      } else {
        low = number + 1;
      }
    }
    return low;
  }

  private long lastNumber() {
    byte[] prefix = Tables.ofQueue(Tables.DEAD, queue);
    try (Rows each = rows.scanBack(prefix, Tables.after(prefix))) {
      return each.next() ? Tables.long8(each.key(), 5) : 0;
    }
  }

  /** How many dead letters match a filter. */
  public long count(DeadLetterFilter filter) {
    return page(new DeadLettersRequest(filter, null, 1), -1).total();
  }

  /** What dead letters died of. */
  public DeadErrors errors(DeadErrorsRequest request) {
    long after = request.after() == null ? 0 : StoredRows.number(request.after());
    DeadKinds kinds = new DeadKinds();
    long looked = 0;
    long last = after;
    boolean complete = true;
    try (Rows each = rows.scan(Tables.dead(queue, after + 1), end())) {
      while (each.next()) {
        if (looked == request.limit()) {
          complete = false;
          break;
        }
        kinds.add(each.value());
        last = Tables.long8(each.key(), 5);
        looked++;
      }
    }
    return new DeadErrors(kinds.list(), looked, last == 0 ? null : Long.toString(last), complete);
  }
}
