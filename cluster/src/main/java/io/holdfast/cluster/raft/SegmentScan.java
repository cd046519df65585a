package io.holdfast.cluster.raft;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads a segment of the log by itself, to judge its end before Ratis reads it.
 *
 * <p>A segment is a header and records: the length of an entry as a varint, the entry, and a CRC32C
 * of both. Behind them are zeros, because space is allocated ahead.
 */
final class SegmentScan {
  private static final byte[] HEADER = "RaftLog1".getBytes(StandardCharsets.US_ASCII);
  private static final int CHECKSUM_BYTES = 4;

  /** The tags of the first two fields of an entry, as protobuf writes them. */
  private static final int TERM_TAG = 0x08;

  private static final int INDEX_TAG = 0x10;

  /** A disk writes at least this many bytes together. */
  private static final int SECTOR_BYTES = 512;

  /** Entries that were written and not synced: an index further ahead is no record. */
  private static final int AHEAD_MAX = 1 << 20;

  private final ByteBuffer bytes;
  private final int size;
  private final CRC32C checksum = new CRC32C();

  private SegmentScan(ByteBuffer bytes) {
    this.bytes = bytes.order(ByteOrder.BIG_ENDIAN);
    this.size = bytes.limit();
  }

  /**
   * What is in a segment.
   *
   * @param entries the number of its entries before the damage
   * @param lastIndex the index of the last of them; the start - 1 if there are none
   * @param lastTerm its term; 0 if there are none
   * @param end where the last of them ends
   * @param damage what is wrong behind them; null if nothing is
   * @param torn whether the damage is a write that a crash has interrupted
   */
  record Found(
      long entries,
      long lastIndex,
      long lastTerm,
      long end,
      @Nullable String damage,
      boolean torn) {}

  /** A record with a valid checksum. */
  private record Entry(long term, long index, int end) {}

  /** Reads a segment whose first entry must have the given index. */
  static Found scan(Path file, long start) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        Arena arena = Arena.ofConfined()) {
      ByteBuffer bytes =
          channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena).asByteBuffer();
      return new SegmentScan(bytes).scan(start);
    }
  }

  private Found scan(long start) {
    int header = matchingHeader();
    if (header < HEADER.length) {
      boolean empty = lastNonZero() < header;
      String damage = empty ? null : "it does not begin as a segment of the log";
      return new Found(0, start - 1, 0, 0, damage, false);
    }
    int at = HEADER.length;
    long last = start - 1;
    long term = 0;
    while (at < size && bytes.get(at) != 0) {
      Entry entry = entry(at);
      if (entry == null) {
        return damaged(
            start, last, term, at, "the entry behind " + last + " has no valid checksum");
      }
      if (entry.index() != last + 1 || entry.term() < term) {
        String gap = "behind the entry " + last + " comes the entry " + entry.index();
        return new Found(last - start + 1, last, term, at, gap, false);
      }
      last = entry.index();
      term = entry.term();
      at = entry.end();
    }
    if (lastNonZero() >= at) {
      return damaged(start, last, term, at, "there are bytes behind its end");
    }
    return new Found(last - start + 1, last, term, at, null, false);
  }

  private Found damaged(long start, long last, long term, int at, String damage) {
    boolean torn = isHole(at) && !isValidBehind(at, last);
    return new Found(last - start + 1, last, term, at, damage, torn);
  }

  private int matchingHeader() {
    int same = 0;
    while (same < HEADER.length && same < size && bytes.get(same) == HEADER[same]) {
      same++;
    }
    return same;
  }

  private int lastNonZero() {
    int at = size - 1;
    while (at >= 0 && bytes.get(at) == 0) {
      at--;
    }
    return at;
  }

  /** Reads the record at a place; null if there is none, or its checksum is wrong. */
  private @Nullable Entry entry(int at) {
    Varint length = varint(at);
    if (length == null || length.value() <= 0) {
      return null;
    }
    long end = length.next() + length.value() + CHECKSUM_BYTES;
    if (end > size) {
      return null;
    }
    Entry entry = position(length.next(), (int) end);
    if (entry == null) {
      return null;
    }
    int covered = (int) end - CHECKSUM_BYTES;
    checksum.reset();
    checksum.update(bytes.slice(at, covered - at));
    return (int) checksum.getValue() == bytes.getInt(covered) ? entry : null;
  }

  /** Reads term and index, which come first; protobuf leaves out an index of 0. */
  private @Nullable Entry position(int at, int end) {
    if (at >= size || bytes.get(at) != TERM_TAG) {
      return null;
    }
    Varint term = varint(at + 1);
    if (term == null || term.next() >= size) {
      return null;
    }
    if (bytes.get(term.next()) != INDEX_TAG) {
      return new Entry(term.value(), 0, end);
    }
    Varint index = varint(term.next() + 1);
    return index == null ? null : new Entry(term.value(), index.value(), end);
  }

  private record Varint(long value, int next) {}

  private @Nullable Varint varint(int at) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE && at < size; shift += 7) {
      byte next = bytes.get(at++);
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return new Varint(value, at);
      }
    }
    return null;
  }

  /**
   * Whether the record at a place lacks whole sectors, as after an interrupted write into allocated
   * space; a record that is there as a whole and has a wrong checksum is rot.
   */
  private boolean isHole(int at) {
    Varint length = bytes.get(at) == 0 ? null : varint(at);
    long end = length == null ? size : length.next() + length.value() + CHECKSUM_BYTES;
    if (end > size || end < at) {
      return true;
    }
    int from = at;
    while (from < end) {
      int to = (int) Math.min(end, (from / SECTOR_BYTES + 1L) * SECTOR_BYTES);
      if (isZero(from, to)) {
        return true;
      }
      from = to;
    }
    return false;
  }

  private boolean isZero(int from, int to) {
    for (int at = from; at < to; at++) {
      if (bytes.get(at) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether a later entry is behind a damaged place: then it was not the end of the log. */
  private boolean isValidBehind(int at, long last) {
    int end = lastNonZero();
    for (int place = at + 1; place <= end; place++) {
      if (bytes.get(place) != 0) {
        Entry entry = entry(place);
        if (entry != null && entry.index() > last && entry.index() - last < AHEAD_MAX) {
          return true;
        }
      }
    }
    return false;
  }
}
