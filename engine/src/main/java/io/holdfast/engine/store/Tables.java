package io.holdfast.engine.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The whole schema of a store: one tag byte in front of each key. A tag, once shipped, is never
 * used for anything else. Numbers are big-endian, so that keys sort as they count.
 *
 * <pre>
 *   tag          key                                      value
 *    1 meta      name                                     format, level, applied, numbers, ...
 *    2 queues    queue                                    name, options, paused, generation
 *    3 partitions queue, partition                        name, next seq, lanes, generation
 *    4 messages  queue, partition, lane, first seq        a chunk: what one push added to one lane
 *    5 holes     queue, partition, lane, seq              nothing: a message that was cancelled
 *    6 names     queue, partition, transactionId          the id of the message of that name
 *    7 moved     queue, partition, id seq                 lane and seq of a message once delayed
 *    8 delayed   queue, partition, id seq                 a message that is not due, when it is
 *    9 agenda    due time, kind, what                     nothing: what a tick has to do, and when
 *   10 groups    queue, group                             name, where it began
 *   11 cursors   queue, group, partition, lane            next seq, last served, worker
 *   12 returned  queue, group, partition, lane, seq       failures, expiries, visible at, attempts
 *   13 leases    lease                                    group, expiry, what it holds
 *   14 ended     class, period, lease                     until when, how it ended, what it settled
 *   15 dead      queue, dead number                       a dead letter, whole
 *   16 deadIds   queue, partition, id seq, group          its dead number
 *   17 tasks     queue, partition, id seq                 the life of a tracked message
 *   18 journals  name, 0, first position                  events that were appended together
 *   19 lengths   name of a journal                        how many events it holds
 *   20 records   key                                      version, value
 *   21 requests  class, period, request id                until when, the answer of the request
 *   22 requeued  queue, group, partition, lane, seq       a message requeued from dead, as a chunk
 *   23 sessions  session                                  when a producer session was opened
 *   24 slots     session, slot                            its last request: when, sequence, answer
 * </pre>
 *
 * Invariants, of every store between two batches:
 *
 * <ul>
 *   <li>A message of a lane is, for a group: before the cursor of that lane and in at most one of
 *       leases and returned (settled if in neither); or at or after the cursor (waiting), unless it
 *       is in holes, or was rescheduled and is in returned.
 *   <li>Chunks of a lane do not overlap, lie between the lane's first and next seq, and their
 *       stamps do not decrease.
 *   <li>A row of delayed has a row of agenda at its due time.
 *   <li>A row of returned that says when its message was requeued has a row of requeued, and the
 *       other way round.
 *   <li>A row of dead has a row of deadIds, and the counts of queues are the counts of rows.
 *   <li>A lease names a group and partitions that exist, or a group that is deleted.
 *   <li>A row of slots has a row of sessions.
 *   <li>A group has rows only on partitions of its own generation or a later one.
 * </ul>
 */
public final class Tables {
  /** Bumped when rows written by this version cannot be read by the one before. */
  public static final int FORMAT = 5;

  public static final byte META = 1;
  public static final byte QUEUES = 2;
  public static final byte PARTITIONS = 3;
  public static final byte MESSAGES = 4;
  public static final byte HOLES = 5;
  public static final byte NAMES = 6;
  public static final byte MOVED = 7;
  public static final byte DELAYED = 8;
  public static final byte AGENDA = 9;
  public static final byte GROUPS = 10;
  public static final byte CURSORS = 11;
  public static final byte RETURNED = 12;
  public static final byte LEASES = 13;
  public static final byte ENDED = 14;
  public static final byte DEAD = 15;
  public static final byte DEAD_IDS = 16;
  public static final byte TASKS = 17;
  public static final byte JOURNALS = 18;
  public static final byte LENGTHS = 19;
  public static final byte RECORDS = 20;
  public static final byte REQUESTS = 21;
  public static final byte REQUEUED = 22;

  public static final byte SESSIONS = 23;
  public static final byte SLOTS = 24;

  /** One past the last tag. */
  public static final byte END = 25;

  /** The names of the tables, by tag. */
  public static final List<String> TITLES =
      List.of(
          "meta",
          "queues",
          "partitions",
          "messages",
          "holes",
          "names",
          "moved",
          "delayed",
          "agenda",
          "groups",
          "cursors",
          "returned",
          "leases",
          "ended",
          "dead",
          "deadIds",
          "tasks",
          "journals",
          "lengths",
          "records",
          "requests",
          "requeued",
          "sessions",
          "slots");

  /** Where the id begins in the key of a row that is valid until a time. */
  public static final int TIMED_ID_AT = 10;

  private Tables() {}

  /** The name of a table. */
  public static String title(byte table) {
    return TITLES.get(table - 1);
  }

  /** The first key of a table. */
  public static byte[] start(byte table) {
    return new byte[] {table};
  }

  /** One past the last key of a table. */
  public static byte[] end(byte table) {
    return new byte[] {(byte) (table + 1)};
  }

  /** One past every key that begins with a prefix; the prefix must not be all 0xff. */
  public static byte[] after(byte[] prefix) {
    int length = prefix.length;
    while (prefix[length - 1] == (byte) 0xff) {
      length--;
    }
    byte[] end = Arrays.copyOf(prefix, length);
    end[length - 1]++;
    return end;
  }

  public static byte[] meta(String name) {
    return new KeyWriter(META, name.length()).text(name).done();
  }

  public static byte[] queue(int queue) {
    return new KeyWriter(QUEUES, 4).int4(queue).done();
  }

  public static byte[] partition(int queue, long partition) {
    return new KeyWriter(PARTITIONS, 10).int4(queue).long6(partition).done();
  }

  public static byte[] message(int queue, long partition, int lane, long firstSeq) {
    return laneRow(MESSAGES, queue, partition, lane, firstSeq);
  }

  public static byte[] hole(int queue, long partition, int lane, long seq) {
    return laneRow(HOLES, queue, partition, lane, seq);
  }

  private static byte[] laneRow(byte table, int queue, long partition, int lane, long seq) {
    return new KeyWriter(table, 20).int4(queue).long6(partition).int4(lane).long6(seq).done();
  }

  /** The partition in a key of a table keyed by queue and partition. */
  public static long partitionOf(byte[] key) {
    return long6(key, 5);
  }

  /** The lane in a key of messages or holes. */
  public static int laneOf(byte[] key) {
    return int4(key, 11);
  }

  /** The seq at the end of a key of messages, holes, or of any table keyed by seq last. */
  public static long lastSeq(byte[] key) {
    return long6(key, key.length - 6);
  }

  public static byte[] name(int queue, long partition, byte[] transactionId) {
    return new KeyWriter(NAMES, 10 + transactionId.length)
        .int4(queue)
        .long6(partition)
        .bytes(transactionId)
        .done();
  }

  public static byte[] moved(int queue, long partition, long idSeq) {
    return idRow(MOVED, queue, partition, idSeq);
  }

  public static byte[] delayed(int queue, long partition, long idSeq) {
    return idRow(DELAYED, queue, partition, idSeq);
  }

  public static byte[] task(int queue, long partition, long idSeq) {
    return idRow(TASKS, queue, partition, idSeq);
  }

  /**
   * What the agenda says while the tasks of a queue have to learn that a group was deleted: the key
   * of the next task, under the tag of groups.
   */
  public static byte[] deletedFrom(byte[] task) {
    return sameIn(GROUPS, task);
  }

  /** The key of that task. */
  public static byte[] deletedTask(byte[] what) {
    return sameIn(TASKS, what);
  }

  private static byte[] idRow(byte table, int queue, long partition, long idSeq) {
    return new KeyWriter(table, 16).int4(queue).long6(partition).long6(idSeq).done();
  }

  /** A tick has to look at something: {@code what} is the key of the row it is about. */
  public static byte[] agenda(long dueMs, byte[] what) {
    return new KeyWriter(AGENDA, 8 + what.length).long8(dueMs).bytes(what).done();
  }

  /** All that is due up to and including a time ends before this key. */
  public static byte[] agendaAfter(long dueMs) {
    return new KeyWriter(AGENDA, 8).long8(dueMs + 1).done();
  }

  public static long agendaDueMs(byte[] key) {
    return long8(key, 1);
  }

  /** The key of the row an agenda row is about. */
  public static byte[] agendaWhat(byte[] key) {
    return Arrays.copyOfRange(key, 9, key.length);
  }

  public static byte[] group(int queue, int group) {
    return new KeyWriter(GROUPS, 8).int4(queue).int4(group).done();
  }

  public static byte[] cursor(int queue, int group, long partition, int lane) {
    return new KeyWriter(CURSORS, 18).int4(queue).int4(group).long6(partition).int4(lane).done();
  }

  public static byte[] returned(int queue, int group, long partition, int lane, long seq) {
    return returnedRow(RETURNED, queue, group, partition, lane, seq);
  }

  public static byte[] requeued(int queue, int group, long partition, int lane, long seq) {
    return returnedRow(REQUEUED, queue, group, partition, lane, seq);
  }

  private static byte[] returnedRow(
      byte table, int queue, int group, long partition, int lane, long seq) {
    return new KeyWriter(table, 24)
        .int4(queue)
        .int4(group)
        .long6(partition)
        .int4(lane)
        .long6(seq)
        .done();
  }

  /** The partition in a key of cursors, returned or requeued. */
  public static long subscribedPartition(byte[] key) {
    return long6(key, 9);
  }

  /** The lane in a key of cursors, returned or requeued. */
  public static int subscribedLane(byte[] key) {
    return int4(key, 15);
  }

  /** The same key in another table. */
  public static byte[] sameIn(byte table, byte[] key) {
    byte[] other = key.clone();
    other[0] = table;
    return other;
  }

  public static byte[] lease(long lease) {
    return new KeyWriter(LEASES, 8).long8(lease).done();
  }

  /** A row of ended or requests, under the period in which it becomes invalid. */
  public static byte[] timed(byte table, int ofClass, long period, byte[] id) {
    return new KeyWriter(table, 9 + id.length).int1(ofClass).long8(period).bytes(id).done();
  }

  /** The start of every key of a period. */
  public static byte[] timed(byte table, int ofClass, long period) {
    return timed(table, ofClass, period, new byte[0]);
  }

  /** The period in the key of a row of ended or requests. */
  public static long timedPeriod(byte[] key) {
    return long8(key, 2);
  }

  public static byte[] session(long session) {
    return new KeyWriter(SESSIONS, 8).long8(session).done();
  }

  public static byte[] slot(long session, int slot) {
    return new KeyWriter(SLOTS, 12).long8(session).int4(slot).done();
  }

  /** The start of every key of the slots of a session. */
  public static byte[] slots(long session) {
    return new KeyWriter(SLOTS, 8).long8(session).done();
  }

  public static byte[] dead(int queue, long number) {
    return new KeyWriter(DEAD, 12).int4(queue).long8(number).done();
  }

  public static byte[] deadId(int queue, long partition, long idSeq, int group) {
    return new KeyWriter(DEAD_IDS, 20).int4(queue).long6(partition).long6(idSeq).int4(group).done();
  }

  /** The id seq in a key of deadIds. */
  public static long deadIdSeq(byte[] key) {
    return long6(key, 11);
  }

  /** The group in a key of deadIds. */
  public static int deadIdGroup(byte[] key) {
    return int4(key, 17);
  }

  public static byte[] journal(String name, long position) {
    byte[] bytes = utf8(name);
    return new KeyWriter(JOURNALS, bytes.length + 9).bytes(bytes).int1(0).long8(position).done();
  }

  /** The position of the first event of a row of journals. */
  public static long journalPosition(byte[] key) {
    return long8(key, key.length - 8);
  }

  /** The name of the journal that a row of journals belongs to. */
  public static String journalName(byte[] key) {
    return new String(key, 1, key.length - 10, StandardCharsets.UTF_8);
  }

  public static byte[] journalLength(String name) {
    byte[] bytes = utf8(name);
    return new KeyWriter(LENGTHS, bytes.length).bytes(bytes).done();
  }

  public static byte[] record(String key) {
    byte[] bytes = utf8(key);
    return new KeyWriter(RECORDS, bytes.length).bytes(bytes).done();
  }

  /** The start of every key of a table that belongs to a queue. */
  public static byte[] ofQueue(byte table, int queue) {
    return new KeyWriter(table, 4).int4(queue).done();
  }

  /** The start of every key of a table keyed by queue and partition. */
  public static byte[] ofPartition(byte table, int queue, long partition) {
    return new KeyWriter(table, 10).int4(queue).long6(partition).done();
  }

  /** The start of every key of cursors or returned that belongs to a group. */
  public static byte[] ofGroup(byte table, int queue, int group) {
    return new KeyWriter(table, 8).int4(queue).int4(group).done();
  }

  /** The start of every key of cursors or returned of a group on one partition. */
  public static byte[] ofSubscription(byte table, int queue, int group, long partition) {
    return new KeyWriter(table, 14).int4(queue).int4(group).long6(partition).done();
  }

  /** A number as the id of a row. */
  public static byte[] id(long number) {
    return Arrays.copyOfRange(new KeyWriter(META, 8).long8(number).done(), 1, 9);
  }

  public static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  public static int int4(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 24
        | (bytes[at + 1] & 0xff) << 16
        | (bytes[at + 2] & 0xff) << 8
        | (bytes[at + 3] & 0xff);
  }

  private static long long6(byte[] bytes, int at) {
    return (bytes[at] & 0xffL) << 40
        | (bytes[at + 1] & 0xffL) << 32
        | (int4(bytes, at + 2) & 0xffffffffL);
  }

  public static long long8(byte[] bytes, int at) {
    return (long) int4(bytes, at) << 32 | (int4(bytes, at + 4) & 0xffffffffL);
  }
}
