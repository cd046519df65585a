package io.holdfast.engine.store;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A reader of RocksDB's log format, in which the write-ahead log and the manifest are written.
 *
 * <p>A file is a sequence of blocks of 32 KiB. A record is one fragment, or several in consecutive
 * blocks. Each fragment has a header: a masked CRC-32C of all that follows it (4 bytes), the length
 * of the content (2 bytes, little-endian) and the kind (1 byte). If less than a header is left in a
 * block, the rest is zeros.
 *
 * <p>A log file that RocksDB may recycle has longer headers, which end with the number of the log
 * (4 bytes). A new log then overwrites an old one in place, and ends where a fragment has another
 * number or is not intact.
 *
 * <p>Thread: one.
 */
final class LogRecords {
  static final int BLOCK = 32 * 1024;

  /** The header of a fragment in a log file that may be recycled. */
  static final int LOG_HEADER = 11;

  private static final int HEADER = 7;
  private static final int LENGTH_AT = 4;
  private static final int KIND_AT = 6;
  private static final int NUMBER_AT = 7;
  private static final int CRC_MASK_DELTA = 0xa282ead8;

  private static final int FULL = 1;
  private static final int FIRST = 2;
  private static final int LAST = 4;

  /** Added to the kind of a fragment whose header has the number of the log. */
  private static final int NUMBERED = 4;

  private static final long NO_NUMBER = -1;

  /** How much of a record's content its visitor gets: enough for what has to be known of it. */
  private static final int HEAD_BYTES = 512;

  /** Gets every whole record, in order. */
  interface Visitor {
    /**
     * Looks at the first bytes of a record.
     *
     * @return what is wrong with it, and null if nothing is
     */
    @Nullable String record(ByteBuffer head);
  }

  /**
   * The result of reading a file.
   *
   * @param end where the last whole record ends
   * @param size the size of the file
   * @param damagedAt where something begins that is no whole record
   * @param damage what is there; null if the file is whole to its end
   */
  record Scan(long end, long size, long damagedAt, @Nullable String damage) {
    boolean isWhole() {
      return damage == null;
    }
  }

  private final Visitor visitor;

  /** The number of the log; {@link #NO_NUMBER} for a file whose headers have none. */
  private final long number;

  private final int header;
  private final ByteBuffer block = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
  private final ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C crc = new CRC32C();

  /** Where the block begins in the file, how much of it there is, and how much of it was read. */
  private long base;

  private int filled;
  private int at;

  private boolean inRecord;
  private long recordAt;
  private long end;

  private LogRecords(Visitor visitor, long number) {
    this.visitor = visitor;
    this.number = number;
    this.header = number == NO_NUMBER ? HEADER : LOG_HEADER;
  }

  /** Reads a manifest up to its end, or to the first thing that is no whole record. */
  static Scan scan(Path file, Visitor visitor) throws IOException {
    return scan(file, new LogRecords(visitor, NO_NUMBER));
  }

  /** Reads a log file likewise; one of an earlier build may have headers without a number. */
  static Scan scanLog(Path file, long number, Visitor visitor) throws IOException {
    byte[] first = new byte[HEADER];
    // No channel: those close when their thread is interrupted.
    try (InputStream in = new FileInputStream(file.toFile())) {
      in.readNBytes(first, 0, HEADER);
    }
    boolean numbered = first[KIND_AT] == 0 || first[KIND_AT] > LAST;
    return scan(file, new LogRecords(visitor, numbered ? number : NO_NUMBER));
  }

  private static Scan scan(Path file, LogRecords records) throws IOException {
    try (InputStream in = new FileInputStream(file.toFile())) {
      return records.scan(in, Files.size(file));
    }
  }

  /** Where the first fragment of a record begins that is appended to a log with this end. */
  static long start(long end) {
    long left = BLOCK - end % BLOCK;
    return left < LOG_HEADER ? end + left : end;
  }

  /** Where a log ends to which a record was appended, with content of so many bytes. */
  static long endAfter(long end, long bytes) {
    long at = start(end);
    long left = bytes;
    while (at % BLOCK + LOG_HEADER + left > BLOCK) {
      left -= BLOCK - at % BLOCK - LOG_HEADER;
      at += BLOCK - at % BLOCK;
    }
    return at + LOG_HEADER + left;
  }

  /** Whether a header begins a record of a log with content of so many bytes. */
  static boolean begins(byte[] header, long number, long end, long bytes) {
    ByteBuffer read = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
    long room = BLOCK - start(end) % BLOCK - LOG_HEADER;
    int kind = NUMBERED + (bytes <= room ? FULL : FIRST);
    return read.get(KIND_AT) == kind
        && (read.getShort(LENGTH_AT) & 0xffff) == Math.min(room, bytes)
        && read.getInt(NUMBER_AT) == (int) number;
  }

  /** Whether any whole fragment lies behind a place, wherever it begins. */
  static boolean anyAfter(Path file, long place) throws IOException {
    LogRecords records = new LogRecords(head -> null, NO_NUMBER);
    try (InputStream in = new FileInputStream(file.toFile())) {
      while (records.fill(in)) {
        int from = (int) Math.min(BLOCK, Math.max(0, place + 1 - records.base));
        for (records.at = from; records.at + HEADER <= records.filled; records.at++) {
          if (records.fragmentDamage() == null && records.length() > 0) {
            return true;
          }
        }
        records.base += records.filled;
      }
      return false;
    }
  }

  private Scan scan(InputStream in, long size) throws IOException {
    while (fill(in)) {
      while (filled - at >= header) {
        String damage = readFragment();
        if (damage != null) {
          return new Scan(end, size, base + at, damage);
        }
      }
      if (filled < BLOCK && at < filled) {
        return new Scan(end, size, base + at, "the header of a record is cut off");
      }
      base += filled;
    }
    if (inRecord) {
      return new Scan(end, size, recordAt, "a record has no end");
    }
    return new Scan(end, size, end, null);
  }

  private boolean fill(InputStream in) throws IOException {
    filled = in.readNBytes(block.array(), 0, BLOCK);
    at = 0;
    return filled > 0;
  }

  private int length() {
    return block.getShort(at + LENGTH_AT) & 0xffff;
  }

  private int kind() {
    int kind = block.get(at + KIND_AT) & 0xff;
    return number == NO_NUMBER || kind == 0 ? kind : kind - NUMBERED;
  }

  /** Reads the fragment that begins here; returns what is wrong, and then stays where it is. */
  private @Nullable String readFragment() {
    String damage = fragmentDamage();
    if (damage != null) {
      return damage;
    }
    int kind = kind();
    boolean begins = kind == FULL || kind == FIRST;
    if (begins == inRecord) {
      return begins ? "a record begins inside another one" : "a record has no beginning";
    }
    if (begins) {
      head.clear();
      recordAt = base + at;
    }
    int length = length();
    head.put(block.array(), at + header, Math.min(length, head.remaining()));
    inRecord = kind != FULL && kind != LAST;
    if (!inRecord) {
      String wrong = visitor.record(head.flip());
      if (wrong != null) {
        return wrong;
      }
      end = base + at + header + length;
    }
    at += header + length;
    return null;
  }

  private @Nullable String fragmentDamage() {
    int length = length();
    int kind = kind();
    if (kind == 0 && length == 0) {
      return "zeros in place of a record";
    }
    if (kind < FULL || kind > LAST) {
      return "a record of the unknown kind " + kind;
    }
    if (at + header + length > filled) {
      return "a record of " + length + " bytes is longer than the rest of its block";
    }
    crc.reset();
    crc.update(block.array(), at + KIND_AT, header - KIND_AT + length);
    int value = (int) crc.getValue();
    if (Integer.rotateRight(value, 15) + CRC_MASK_DELTA != block.getInt(at)) {
      return "checksum mismatch";
    }
    if (number != NO_NUMBER && block.getInt(at + NUMBER_AT) != (int) number) {
      return "a record of log " + (block.getInt(at + NUMBER_AT) & 0xffffffffL);
    }
    return null;
  }
}
