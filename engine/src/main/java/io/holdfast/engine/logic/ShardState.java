package io.holdfast.engine.logic;

import io.holdfast.api.queue.QueueOptions;
import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.command.FormatLevels;
import io.holdfast.engine.command.LogPosition;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.ShardLimits;
import io.holdfast.engine.command.UnknownFormatException;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.Tx;
import io.holdfast.engine.store.View;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The index of a shard in memory: queues, partitions, groups, leases, and what came back; never the
 * messages themselves.
 *
 * <p>Invariant: between two batches it is a function of the tables. Within a batch it runs ahead of
 * them: what changed is marked dirty, and {@link #flush} writes each changed row once.
 *
 * <p>Only the rules of this package change it; other packages read its public fields.
 *
 * <p>Thread: the one that applies commands.
 */
public final class ShardState {
  public static final byte[] META_NUMBERS = Tables.meta("numbers");
  public static final byte[] META_LIMITS = Tables.meta("limits");

  private static final Comparator<Lease> BY_EXPIRY =
      Comparator.<Lease>comparingLong(lease -> lease.untilMs).thenComparingLong(lease -> lease.id);

  public final TreeMap<String, Queue> queues = new TreeMap<>();
  final LivePartitions partitions = new LivePartitions();
  public final Map<Long, Lease> leases = new HashMap<>();
  final TreeSet<Lease> expiries = new TreeSet<>(BY_EXPIRY);
  public final TimedRows ended = TimedRows.endedLeases();
  final TimedRows requests = TimedRows.requests();
  final RequestBytes requestBytes = new RequestBytes();
  final Sessions sessions = new Sessions();
  final ChunkCache cache;
  public final Totals totals = new Totals();
  final FormatRow format;

  private final TreeMap<Integer, Queue> queuesByNumber = new TreeMap<>();
  private final List<Queue> dirtyQueues = new ArrayList<>();
  private final List<Group> dirtyGroups = new ArrayList<>();
  private final List<Partition> dirtyPartitions = new ArrayList<>();
  private final List<Subscription> dirtySubscriptions = new ArrayList<>();
  private final List<Lease> dirtyLeases = new ArrayList<>();
  private boolean dirtyNumbers;

  private int nextQueue = 1;
  private long nextDead = 1;

  /** Queues that are deleted, with partitions that are still in memory. */
  private final ArrayDeque<Queue> deletedQueues = new ArrayDeque<>();

  /** Queues with partitions whose subscriptions have to be refreshed, by number. */
  private final TreeMap<Integer, Queue> refreshing = new TreeMap<>();

  /** The leases of deleted groups, group by group, by id. */
  private final List<TreeMap<Long, Lease>> orphans = new ArrayList<>();

  /** When the agenda next has something due; may be too early, never too late. */
  private long agendaMs = Long.MAX_VALUE;

  /** The key of that row of the agenda. */
  private byte[] agendaFrom = Tables.end(Tables.AGENDA);

  /** The number of the queue whose old dead letters were removed last. */
  int deadTrimmedTo;

  private int encryptedQueues;

  /** Sums over all partitions. */
  public long storedBytes;

  public long retainedBytes;
  public long partitionCount;
  public int groupCount;
  long subscriptionCount;

  long appliedIndex;
  long lastMs;

  /** The position of the last entry in the log; the index above counts commands. */
  private LogPosition position = LogPosition.START;

  /** A hash of what commands were answered. */
  public final AnswersHash answers = new AnswersHash();

  private boolean replica;

  private ShardLimits limits = ShardLimits.DEFAULTS;
  private boolean dirtyLimits;

  /**
   * @param tailCacheBytes recently used chunks kept in memory
   * @param known the format levels that this version knows
   */
  ShardState(long tailCacheBytes, FormatLevels known) {
    this.cache = new ChunkCache(tailCacheBytes);
    this.format = new FormatRow(known);
  }

  /** Other nodes apply the same commands, and have to give the same answers. */
  public void beginReplica() {
    replica = true;
    answers.begin();
  }

  boolean isReplica() {
    return replica;
  }

  public ShardLimits limits() {
    return limits;
  }

  void limits(ShardLimits changed) {
    limits = changed;
    dirtyLimits = true;
  }

  /** The position of the last entry that was applied. */
  public LogPosition position() {
    return position;
  }

  public void position(LogPosition applied) {
    position = applied;
  }

  public @Nullable Queue queue(String name) {
    return queues.get(name);
  }

  @Nullable Queue queue(int number) {
    return queuesByNumber.get(number);
  }

  /**
   * The queue with the next higher number, or else the one with the lowest; null if none is left.
   */
  @Nullable Queue queueAfter(int number) {
    Map.Entry<Integer, Queue> next = queuesByNumber.higherEntry(number);
    next = next != null ? next : queuesByNumber.firstEntry();
    return next == null ? null : next.getValue();
  }

  public @Nullable Partition partition(long number) {
    Partition partition = partitions.get(number);
    return partition == null || partition.queue.deleted ? null : partition;
  }

  /**
   * The partition behind a name in a queue, or else the first of the queues with greater numbers.
   */
  @Nullable Partition partitionAfter(int queueNumber, String name) {
    Queue queue = queuesByNumber.get(queueNumber);
    Map.Entry<String, Partition> next = queue == null ? null : queue.partitions.higherEntry(name);
    Map.Entry<Integer, Queue> above = queuesByNumber.higherEntry(queueNumber);
    while (next == null && above != null) {
      next = above.getValue().partitions.firstEntry();
      above = queuesByNumber.higherEntry(above.getKey());
    }
    return next == null ? null : next.getValue();
  }

  /** Whether a sweep has something to do besides the partitions and dead letters. */
  boolean hasUpkeep(long nowMs) {
    return !deletedQueues.isEmpty()
        || !refreshing.isEmpty()
        || firstOrphan() != null
        || ended.hasExpired(nowMs)
        || requests.hasExpired(nowMs)
        || sessions.hasExpired(nowMs);
  }

  /** Notes whether partitions of a queue have to be refreshed. */
  void refreshing(Queue queue) {
    if (queue.refreshedTo == null) {
      refreshing.remove(queue.number);
    } else {
      refreshing.put(queue.number, queue);
    }
  }

  @Nullable Queue firstRefreshing() {
    return refreshing.isEmpty() ? null : refreshing.firstEntry().getValue();
  }

  /** Counts no settled bytes of a queue until its partitions are counted again. */
  void forgetRetained(Queue queue) {
    retainedBytes -= queue.retainedBytes;
    queue.retainedBytes = 0;
  }

  /** A group is deleted; its leases have to be ended. */
  void orphanLeasesOf(Group group) {
    if (!group.leases.isEmpty()) {
      orphans.add(group.leases);
    }
  }

  /** The lease of a deleted group that has the lowest id; null if there is none. */
  @Nullable Lease firstOrphan() {
    orphans.removeIf(TreeMap::isEmpty);
    return orphans.stream()
        .map(each -> each.firstEntry().getValue())
        .min(Comparator.comparingLong(lease -> lease.id))
        .orElse(null);
  }

  /** Drops partitions of deleted queues from memory, a bounded number. */
  void dropDeleted() {
    int left = LogicLimits.SWEEP_PARTITIONS_MAX;
    while (left > 0 && !deletedQueues.isEmpty()) {
      Map.Entry<String, Partition> next = deletedQueues.getFirst().partitions.pollFirstEntry();
      if (next == null) {
        deletedQueues.removeFirst();
      } else {
        partitions.remove(next.getValue());
        left--;
      }
    }
  }

  /** The partition that an id belongs to, unless that was dropped or is another shard's. */
  public @Nullable Partition partition(MessageId id) {
    Partition partition = partitions.get(id);
    return partition == null || partition.queue.deleted ? null : partition;
  }

  public long appliedIndex() {
    return appliedIndex;
  }

  /** The format level: a rule that changed asks for it. */
  public int format() {
    return format.level();
  }

  /**
   * Makes sure that an entry of a level can be applied; the first one decides the level of a new
   * shard, so that all its nodes begin with the same.
   *
   * @throws UnknownFormatException if it cannot
   */
  public void enter(int level) {
    if (appliedIndex == 0) {
      format.begin(level);
    }
    format.check(level);
  }

  /** The names of queues that keep only sealed payloads. */
  public Set<String> sealedQueues() {
    return queues.values().stream()
        .filter(queue -> queue.rules.encrypts)
        .map(queue -> queue.name)
        .collect(Collectors.toSet());
  }

  public long lastMs() {
    return lastMs;
  }

  /** The leases in the order of their ends, from behind a place on. */
  public Iterable<Lease> leasesAfter(long untilMs, long id) {
    Lease place = null;
    for (Queue queue : queues.values()) {
      if (!queue.groups.isEmpty()) {
        place = new Lease(id, queue.groups.getFirst(), null, untilMs, 0);
        break;
      }
    }
    return place == null ? List.of() : expiries.tailSet(place, false);
  }

  /** When something is due that no command will otherwise notice. */
  public long nextDueMs() {
    return expiries.isEmpty() ? agendaMs : Math.min(agendaMs, expiries.first().untilMs);
  }

  Queue newQueue(String name, long nowMs, QueueOptions options) {
    Queue queue = new Queue(nextQueue++, name, nowMs, options);
    dirtyNumbers = true;
    add(queue);
    touch(queue);
    return queue;
  }

  /** Whether any queue keeps only sealed payloads. */
  boolean hasEncryptedQueues() {
    return encryptedQueues > 0;
  }

  void encryptionChanged(Queue queue) {
    encryptedQueues += queue.rules.encrypts ? 1 : -1;
  }

  void add(Queue queue) {
    queues.put(queue.name, queue);
    encryptedQueues += queue.rules.encrypts ? 1 : 0;
    queuesByNumber.put(queue.number, queue);
    refreshing(queue);
  }

  void remove(Queue queue) {
    queues.remove(queue.name);
    encryptedQueues -= queue.rules.encrypts ? 1 : 0;
    queuesByNumber.remove(queue.number);
    refreshing.remove(queue.number);
    queue.deleted = true;
    deletedQueues.add(queue);
    forgetRetained(queue);
    storedBytes -= queue.storedBytes;
    partitionCount -= queue.partitions.size();
    groupCount -= queue.groups.size();
    subscriptionCount -= (long) queue.groups.size() * queue.partitions.size();
  }

  /** Whether numbers for so many new queues are left. */
  boolean hasQueueNumbers(int count) {
    return Integer.MAX_VALUE - nextQueue >= count;
  }

  Partition newPartition(Queue queue, String name, long nowMs) {
    Partition partition =
        new Partition(
            queue, partitions.takeNumber(limits.slotEnd(), !deletedQueues.isEmpty()), name, nowMs);
    dirtyNumbers = true;
    add(partition);
    touch(partition);
    return partition;
  }

  void add(Partition partition) {
    partition.queue.partitions.put(partition.name, partition);
    partitions.add(partition);
    partitionCount++;
    for (Group group : partition.queue.groups) {
      if (group.generation <= partition.generation) {
        partition.add(new Subscription(group, partition));
      }
    }
    subscriptionCount += partition.queue.groups.size();
  }

  /** Drops a partition that holds nothing. */
  void remove(Partition partition) {
    partition.queue.partitions.remove(partition.name);
    partitions.remove(partition);
    partitionCount--;
    subscriptionCount -= partition.queue.groups.size();
  }

  long newDeadNumber() {
    dirtyNumbers = true;
    return nextDead++;
  }

  long agendaMs() {
    return agendaMs;
  }

  byte[] agendaFrom() {
    return agendaFrom;
  }

  /** The agenda has no row before a key; null if it has none at all. */
  void agendaFrom(byte @Nullable [] key) {
    agendaFrom = key == null ? Tables.end(Tables.AGENDA) : key;
    agendaMs = key == null ? Long.MAX_VALUE : Tables.agendaDueMs(key);
  }

  /** The agenda has a row with this key. */
  void agendaHas(byte[] key) {
    if (Arrays.compareUnsigned(key, agendaFrom) < 0) {
      agendaFrom(key);
    }
  }

  void deadTrimmedTo(int queue) {
    deadTrimmedTo = queue;
    dirtyNumbers = true;
  }

  void add(Lease lease) {
    leases.put(lease.id, lease);
    expiries.add(lease);
    lease.group.add(lease);
  }

  /** Gives a lease another id; the one that it had names nothing from then on. */
  void rename(Lease lease, long id, Tx tx) {
    remove(lease);
    if (lease.stored) {
      tx.delete(Tables.lease(lease.id));
      lease.stored = false;
    }
    lease.id = id;
    add(lease);
    touch(lease);
  }

  void remove(Lease lease) {
    leases.remove(lease.id);
    expiries.remove(lease);
    lease.group.remove(lease);
  }

  /** All partitions, in no order. */
  Iterable<Partition> partitions() {
    return partitions.values();
  }

  void extend(Lease lease, long untilMs) {
    expiries.remove(lease);
    lease.untilMs = untilMs;
    expiries.add(lease);
    touch(lease);
  }

  void touch(Queue queue) {
    if (!queue.dirty) {
      queue.dirty = true;
      dirtyQueues.add(queue);
    }
  }

  void touch(Group group) {
    if (!group.dirty) {
      group.dirty = true;
      dirtyGroups.add(group);
    }
  }

  void touch(Partition partition) {
    if (!partition.dirty) {
      partition.dirty = true;
      dirtyPartitions.add(partition);
    }
  }

  /** A message of a partition gets a row elsewhere. */
  void index(Partition partition) {
    if (!partition.indexed) {
      partition.indexed = true;
      touch(partition);
    }
  }

  void touch(Subscription subscription) {
    // Decided here and not by the flush: which rows there are must not depend on the batches.
    for (Lane lane : subscription.partition.lanes) {
      subscription.cursor(lane).stored = true;
    }
    if (!subscription.dirty) {
      subscription.dirty = true;
      dirtySubscriptions.add(subscription);
    }
  }

  void touch(Lease lease) {
    if (!lease.dirty) {
      lease.dirty = true;
      dirtyLeases.add(lease);
    }
  }

  /** Recounts the settled bytes that a partition still keeps. */
  void recount(Partition partition) {
    if (!partition.isCurrent()) {
      return;
    }
    long retained = 0;
    for (Lane lane : partition.lanes) {
      long least = Long.MAX_VALUE;
      for (Subscription subscription : partition.subscriptions) {
        least = Math.min(least, subscription.takenBytes(lane));
      }
      if (least != Long.MAX_VALUE) {
        retained += Math.max(0, least - lane.trimmedBytes);
      }
    }
    long more = retained - partition.retainedBytes;
    retainedBytes += more;
    partition.queue.retainedBytes += more;
    partition.retainedBytes = retained;
  }

  boolean isGone(Partition partition) {
    return partition.queue.deleted || !partitions.contains(partition);
  }

  public static boolean isGone(Group group) {
    return group.queue.deleted || group.deleted;
  }

  /** Whether {@link #flush} has a row to write. */
  public boolean isDirty() {
    return dirtyNumbers
        || dirtyLimits
        || format.isDirty()
        || requestBytes.isDirty()
        || !dirtyQueues.isEmpty()
        || !dirtyGroups.isEmpty()
        || !dirtyPartitions.isEmpty()
        || !dirtySubscriptions.isEmpty()
        || !dirtyLeases.isEmpty();
  }

  /** Writes every row that changed since the last flush, and how far the log has been applied. */
  public void flush(Tx tx) {
    for (Queue queue : dirtyQueues) {
      queue.dirty = false;
      if (!queue.deleted) {
        tx.put(Tables.queue(queue.number), queue.row());
      }
    }
    dirtyQueues.clear();
    for (Group group : dirtyGroups) {
      group.dirty = false;
      if (!isGone(group)) {
        tx.put(Tables.group(group.queue.number, group.number), group.row());
      }
    }
    dirtyGroups.clear();
    for (Partition partition : dirtyPartitions) {
      partition.dirty = false;
      if (!isGone(partition)) {
        tx.put(Tables.partition(partition.queue.number, partition.number), partition.row());
      }
    }
    dirtyPartitions.clear();
    dirtySubscriptions.forEach(subscription -> flush(subscription, tx));
    dirtySubscriptions.clear();
    dirtyLeases.forEach(lease -> flush(lease, tx));
    dirtyLeases.clear();
    requestBytes.flush(tx);
    format.flush(tx);
    flushMeta(tx);
  }

  private void flush(Subscription subscription, Tx tx) {
    subscription.dirty = false;
    Partition partition = subscription.partition;
    if (isGone(partition) || isGone(subscription.group)) {
      return;
    }
    for (LaneCursor cursor = subscription.firstCursor; cursor != null; cursor = cursor.next) {
      if (cursor.stored) {
        tx.put(
            Tables.cursor(
                partition.queue.number, subscription.group.number, partition.number, cursor.lane),
            cursor.row(subscription));
      }
    }
  }

  private static void flush(Lease lease, Tx tx) {
    lease.dirty = false;
    if (!lease.ended) {
      tx.put(Tables.lease(lease.id), LeaseRow.of(lease).bytes());
      lease.stored = true;
    } else if (lease.stored) {
      tx.delete(Tables.lease(lease.id));
    }
  }

  private void flushMeta(Tx tx) {
    if (dirtyNumbers) {
      dirtyNumbers = false;
      tx.put(
          META_NUMBERS,
          new ByteWriter(32)
              .varint(nextQueue)
              .varint(partitions.next)
              .varint(nextDead)
              .varint(deadTrimmedTo)
              .done());
    }
    if (dirtyLimits) {
      dirtyLimits = false;
      tx.put(META_LIMITS, limits.write(new ByteWriter(48)).done());
    }
    answers.flush(tx);
    tx.put(AppliedRow.KEY, new AppliedRow(appliedIndex, lastMs, position).bytes());
  }

  void readMeta(View view) {
    AppliedRow applied = AppliedRow.of(view);
    appliedIndex = applied.index();
    lastMs = applied.lastMs();
    position = applied.position();
    answers.read(view);
    byte[] stored = view.get(META_LIMITS);
    if (stored != null) {
      limits = ShardLimits.read(new ByteReader(stored));
    }
    byte[] numbers = view.get(META_NUMBERS);
    if (numbers != null) {
      ByteReader in = new ByteReader(numbers);
      nextQueue = in.count();
      partitions.next = in.varint();
      nextDead = in.varint();
      deadTrimmedTo = in.count();
    }
  }
}
