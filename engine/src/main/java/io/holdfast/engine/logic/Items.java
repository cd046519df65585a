package io.holdfast.engine.logic;

import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import java.util.Arrays;

/**
 * Messages by lane and seq, in the order of their delivery, and what became of each. As bytes it is
 * a few runs, however many messages there are.
 */
public final class Items {
  public static final byte OPEN = 0;

  /** Acked, nacked, killed: ended by the holder. */
  public static final byte SETTLED = 1;

  /** Given back: released or expired. */
  static final byte GIVEN_BACK = 2;

  /** Taken away by a cancel or a reschedule. */
  static final byte CANCELLED = 3;

  private int[] lanes = new int[1];
  private long[] seqs = new long[1];
  private byte[] status = new byte[1];
  private int size;
  private int open;

  /** Where the next message is likely to be looked for. */
  private int guess;

  public int size() {
    return size;
  }

  public int open() {
    return open;
  }

  public int lane(int i) {
    return lanes[i];
  }

  public long seq(int i) {
    return seqs[i];
  }

  public byte status(int i) {
    return status[i];
  }

  void add(int lane, long seq) {
    if (size == seqs.length) {
      int capacity = size * 2;
      lanes = Arrays.copyOf(lanes, capacity);
      seqs = Arrays.copyOf(seqs, capacity);
      status = Arrays.copyOf(status, capacity);
    }
    lanes[size] = lane;
    seqs[size] = seq;
    status[size] = OPEN;
    size++;
    open++;
  }

  void close(int i, byte how) {
    status[i] = how;
    open--;
  }

  /**
   * Where a message is, or -1. Seqs count across lanes, so the lane need not be known. A message
   * that was given back and joined the lease again is here twice: the open one counts, or else the
   * last.
   */
  int find(long seq) {
    int closed = -1;
    int at = guess < size ? guess : 0;
    for (int left = size; left > 0; left--) {
      if (seqs[at] == seq) {
        if (status[at] == OPEN) {
          guess = at + 1;
          return at;
        }
        closed = Math.max(closed, at);
      }
      at = at + 1 == size ? 0 : at + 1;
    }
    return closed;
  }

  void write(ByteWriter out) {
    int runs = 0;
    for (int i = 0; i < size; i = runEnd(i)) {
      runs++;
    }
    out.varint(runs);
    for (int i = 0; i < size; ) {
      int end = runEnd(i);
      out.varint(lanes[i]).varint(seqs[i]).varint(end - i).byte1(status[i]);
      i = end;
    }
  }

  private int runEnd(int from) {
    int end = from + 1;
    while (end < size
        && lanes[end] == lanes[from]
        && status[end] == status[from]
        && seqs[end] == seqs[end - 1] + 1) {
      end++;
    }
    return end;
  }

  public static Items read(ByteReader in) {
    Items items = new Items();
    for (int runs = in.count(); runs > 0; runs--) {
      int lane = in.count();
      long seq = in.varint();
      int count = in.count();
      byte how = (byte) in.byte1();
      for (int i = 0; i < count; i++) {
        items.add(lane, seq + i);
        if (how != OPEN) {
          items.close(items.size - 1, how);
        }
      }
    }
    return items;
  }
}
