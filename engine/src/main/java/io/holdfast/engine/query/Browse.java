package io.holdfast.engine.query;

import io.holdfast.api.Page;
import io.holdfast.api.message.BrowsePlace;
import io.holdfast.api.message.BrowsePlace.Part;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.BrowsedMessage;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.MessageState;
import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.logic.DeadRow;
import io.holdfast.engine.logic.Delayed;
import io.holdfast.engine.logic.Finder;
import io.holdfast.engine.logic.Group;
import io.holdfast.engine.logic.Items;
import io.holdfast.engine.logic.Lane;
import io.holdfast.engine.logic.LaneCursor;
import io.holdfast.engine.logic.LaneLog;
import io.holdfast.engine.logic.Lease;
import io.holdfast.engine.logic.LogicLimits;
import io.holdfast.engine.logic.Partition;
import io.holdfast.engine.logic.Queue;
import io.holdfast.engine.logic.Slice;
import io.holdfast.engine.logic.Subscription;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A look at the messages of a queue, partition by partition: the index says how a group stands, the
 * stored rows say what the messages are.
 */
public final class Browse {
  /** Most messages that one page looks at to find those it wants. */
  private static final int SCAN_MAX = 200_000;

  /** It also stops once the rows it read are this large. */
  private static final long SCAN_BYTES_MAX = 64 << 20;

  /** How a group stands on one lane, copied. */
  private record LaneView(
      LaneLog.Range range,
      long purgedSeq,
      long nextSeq,
      Set<Long> holes,
      NavigableSet<Long> held,
      NavigableMap<Long, long[]> returned) {
    /** The first message that may not be settled. */
    long firstOpen() {
      long first = held.isEmpty() ? nextSeq : Math.min(nextSeq, held.getFirst());
      return returned.isEmpty() ? first : Math.min(first, returned.firstKey());
    }

    MessageState state(long seq) {
      if (held.contains(seq)) {
        return MessageState.IN_FLIGHT;
      }
      if (returned.containsKey(seq)) {
        return MessageState.RETURNED;
      }
      return seq >= nextSeq ? MessageState.WAITING : MessageState.SETTLED;
    }
  }

  /** How a group stands on one partition, copied. */
  public static final class PartitionView {
    /** Only its names and numbers are to be used: the rest belongs to the apply thread. */
    private final Partition partition;

    private final int group;
    private final List<LaneView> lanes;
    private final boolean last;

    private PartitionView(Partition partition, int group, List<LaneView> lanes, boolean last) {
      this.partition = partition;
      this.group = group;
      this.lanes = lanes;
      this.last = last;
    }
  }

  private final BrowseRequest request;
  private final List<BrowsedMessage> found = new ArrayList<>();
  private int scanLeft = SCAN_MAX;
  private long scanBytesLeft = SCAN_BYTES_MAX;
  private long bytesLeft = LogicLimits.PAGE_BYTES_MAX;
  private BrowsePlace place;

  public Browse(BrowseRequest request) {
    this.request = request;
    this.place =
        request.after() == null ? BrowsePlace.BEGINNING : BrowsePlace.parse(request.after());
  }

  /** What the state says of the next partition; null if there is none. On the apply thread. */
  public @Nullable PartitionView next(ShardView view) {
    Queue queue = view.state().queue(request.queue());
    if (queue == null) {
      return null;
    }
    Partition partition;
    if (request.partition() != null) {
      partition = queue.partitions.get(request.partition());
      if (partition != null && place.partition().compareTo(partition.name) > 0) {
        partition = null;
      }
    } else {
      Map.Entry<String, Partition> entry = queue.partitions.ceilingEntry(place.partition());
      partition = entry == null ? null : entry.getValue();
    }
    if (partition == null) {
      return null;
    }
    if (!partition.name.equals(place.partition())) {
      place = BrowsePlace.inLane(partition.name, 0, -1);
    }
    Group group = queue.group(request.group());
    Subscription subscription = group == null ? null : partition.subscription(group);
    List<LaneView> lanes = new ArrayList<>();
    for (Lane lane : partition.lanes) {
      lanes.add(copy(partition, lane, subscription));
    }
    boolean last =
        request.partition() != null || queue.partitions.higherKey(partition.name) == null;
    return new PartitionView(partition, group == null ? 0 : group.number, lanes, last);
  }

  private static LaneView copy(
      Partition partition, Lane lane, @Nullable Subscription subscription) {
    NavigableSet<Long> held = new TreeSet<>();
    NavigableMap<Long, long[]> returned = new TreeMap<>();
    long nextSeq = 0;
    if (subscription != null) {
      LaneCursor cursor = subscription.cursor(lane);
      nextSeq = cursor.nextSeq;
      for (Lease lease : subscription.leases) {
        Slice slice = lease.slice(partition.number);
        for (int i = 0; slice != null && i < slice.items.size(); i++) {
          if (slice.items.status(i) == Items.OPEN && slice.items.lane(i) == lane.number) {
            held.add(slice.items.seq(i));
          }
        }
      }
      if (cursor.returned != null) {
        cursor.returned.forEach(
            (seq, back) -> returned.put(seq, new long[] {back.failures, back.visibleAtMs}));
      }
    }
    return new LaneView(
        LaneLog.range(partition, lane),
        lane.purgedSeq,
        nextSeq,
        lane.holes == null ? Set.of() : new TreeSet<>(lane.holes),
        held,
        returned);
  }

  /** Reads what the page still wants of a partition; true once the page is done. */
  public boolean read(View rows, PartitionView view) {
    Partition partition = view.partition;
    if (place.part() == Part.LANES) {
      for (LaneView lane : view.lanes) {
        if (!readLane(rows, view, lane)) {
          return true;
        }
      }
      place = new BrowsePlace(partition.name, Part.DELAYED, 0, -1);
    }
    if (place.part() == Part.DELAYED) {
      if (wants(MessageState.DELAYED) && !readDelayed(rows, partition)) {
        return true;
      }
      place = new BrowsePlace(partition.name, Part.DEAD, 0, -1);
    }
    if (wants(MessageState.DEAD) && !readDead(rows, view)) {
      return true;
    }
    place = BrowsePlace.inLane(partition.name + '\0', 0, -1);
    return view.last;
  }

  /** The page, and where the next one begins. */
  public Page<BrowsedMessage> page(boolean more) {
    return new Page<>(found, more ? place.text() : null);
  }

  /** Whether the page has to stop here although there may be more. */
  public boolean isFull() {
    return found.size() >= request.limit() || scanLeft <= 0 || scanBytesLeft <= 0 || bytesLeft <= 0;
  }

  private boolean wants(MessageState state) {
    return request.states().isEmpty() || request.states().contains(state);
  }

  private boolean readLane(View rows, PartitionView view, LaneView lane) {
    Partition partition = view.partition;
    int number = lane.range().lane();
    if (number < place.lane()) {
      return true;
    }
    long from = Math.max(lane.purgedSeq(), lane.range().firstSeq());
    if (number == place.lane()) {
      from = Math.max(from, place.seq() + 1);
    }
    if (!wants(MessageState.SETTLED)) {
      from = Math.max(from, lane.firstOpen());
    }
    Chunk chunk = from >= lane.range().endSeq() ? null : first(rows, lane.range(), from);
    if (chunk == null) {
      return true;
    }
    try (DeadIds dead = new DeadIds(rows, partition.queue.number, partition.number, view.group);
        Rows next =
            rows.scan(lane.range().key(chunk.endSeq()), lane.range().key(lane.range().endSeq()))) {
      while (readChunk(chunk, Math.max(from, chunk.firstSeq()), partition, lane, dead)) {
        if (!next.next()) {
          return true;
        }
        chunk = new Chunk(Tables.lastSeq(next.key()), next.value());
        scanBytesLeft -= next.value().length;
      }
      return false;
    }
  }

  private boolean readChunk(
      Chunk chunk, long from, Partition partition, LaneView lane, DeadIds dead) {
    int number = lane.range().lane();
    int offset = chunk.offsetOf(from);
    for (long seq = from; seq < chunk.endSeq(); seq++) {
      if (isFull()) {
        return false;
      }
      scanLeft--;
      place = BrowsePlace.inLane(partition.name, number, seq);
      MessageState state = lane.state(seq);
      if (!lane.holes().contains(seq)
          && wants(state)
          && !(state == MessageState.SETTLED && dead.contains(chunk.idSeq(seq, offset)))) {
        long[] back = lane.returned().getOrDefault(seq, new long[2]);
        add(
            Finder.message(partition, number, seq, chunk, offset, null),
            state,
            (int) back[0],
            back[1]);
      }
      offset = chunk.after(offset);
    }
    return true;
  }

  /** The first chunk to look at. What entered before a time was also created before it. */
  private @Nullable Chunk first(View rows, LaneLog.Range range, long from) {
    Chunk chunk = LaneLog.search(rows, range, from);
    return chunk == null || chunk.enteredMs() >= request.fromMs()
        ? chunk
        : LaneLog.enteredFrom(rows, range.from(chunk.endSeq()), request.fromMs());
  }

  private boolean readDelayed(View rows, Partition partition) {
    byte[] from =
        Tables.delayed(partition.queue.number, partition.number, Math.max(0, place.seq() + 1));
    byte[] end =
        Tables.after(Tables.ofPartition(Tables.DELAYED, partition.queue.number, partition.number));
    try (Rows each = rows.scan(from, end)) {
      while (each.next()) {
        if (isFull()) {
          return false;
        }
        scanLeft--;
        long idSeq = Tables.lastSeq(each.key());
        place = new BrowsePlace(partition.name, Part.DELAYED, 0, idSeq);
        Delayed delayed = Delayed.read(each.value());
        Chunk chunk = Finder.alone(delayed.entry(), delayed.createdMs(), idSeq, idSeq);
        Message message =
            Finder.message(partition, delayed.lane(), idSeq, chunk, Chunk.HEADER_BYTES, delayed);
        add(message, MessageState.DELAYED, 0, delayed.visibleAtMs());
      }
    }
    return true;
  }

  private boolean readDead(View rows, PartitionView view) {
    Partition partition = view.partition;
    byte[] prefix = Tables.ofPartition(Tables.DEAD_IDS, partition.queue.number, partition.number);
    byte[] from =
        Tables.deadId(partition.queue.number, partition.number, Math.max(0, place.seq() + 1), 0);
    try (Rows each = rows.scan(from, Tables.after(prefix))) {
      while (each.next()) {
        if (isFull()) {
          return false;
        }
        scanLeft--;
        place = new BrowsePlace(partition.name, Part.DEAD, 0, Tables.deadIdSeq(each.key()));
        byte[] row = Tables.deadIdGroup(each.key()) == view.group ? rows.get(each.value()) : null;
        if (row != null) {
          DeadRow dead = DeadRow.read(row);
          add(dead.describe(partition).message(), MessageState.DEAD, dead.failures(), 0);
        }
      }
    }
    return true;
  }

  private void add(Message message, MessageState state, int failures, long visibleAtMs) {
    boolean named =
        request.transactionId() == null || request.transactionId().equals(message.transactionId());
    if (named && message.createdMs() >= request.fromMs() && message.createdMs() < request.toMs()) {
      bytesLeft -= message.payload().length;
      found.add(new BrowsedMessage(message, state, failures, visibleAtMs));
    }
  }
}
