package io.holdfast.engine.command;

import io.holdfast.api.message.Message;
import io.holdfast.api.message.Position;
import io.holdfast.api.message.Seal;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A row of messages: what one push added to one lane, up to {@link #BYTES_MAX}.
 *
 * <pre>
 *   0  entered ms 6   when these messages entered the lane
 *   6  log index  6   of the command that added them
 *  12  ordinal    6   how many messages had entered the lane before
 *  18  bytes      8   how many bytes had entered the lane before
 *  26  count      2   the first bit says that the row ends with a creation time
 *  28  entries: flags 1, [created ms 6, id seq 6], [name], [headers], payload
 *      [created ms 6]
 * </pre>
 *
 * A payload is as it was pushed, or sealed in an {@link Envelope}: a flag says which, so that
 * nobody can push what would be taken for an envelope.
 *
 * <p>The seq of the first message is in the row's key, and the others follow it without a gap. An
 * entry carries its own creation time and id only if it was delayed; otherwise they are the chunk's
 * time and its seq. A chunk whose time was moved by a repair of the clock keeps the creation time
 * of its messages at its end, so that their ids stay the same; those bytes are not counted as bytes
 * of the lane.
 */
public final class Chunk {
  /** A chunk is closed once it is this large; one message may be larger. */
  public static final int BYTES_MAX = 64 * 1024;

  /** Most messages of one chunk. */
  public static final int COUNT_MAX = 10_000;

  /** Where the first entry begins. */
  public static final int HEADER_BYTES = 28;

  private static final int COUNT_AT = 26;
  private static final int REPAIRED = 1 << 15;
  private static final int REPAIRED_BYTES = 6;

  /** What a moved entry carries behind its flags: creation time and id seq. */
  private static final int MOVED_BYTES = 12;

  static final int NAMED = 1;
  static final int HEADERS = 2;
  static final int MOVED = 4;
  static final int SEALED = 8;

  /** The flags that an entry may have when it is pushed. */
  static final int PUSHED_FLAGS = NAMED | HEADERS | SEALED;

  private final long firstSeq;
  private final byte[] bytes;

  public Chunk(long firstSeq, byte[] bytes) {
    this.firstSeq = firstSeq;
    this.bytes = bytes;
  }

  /** Fills in the header of bytes that a {@link ChunkWriter} made, and takes them over. */
  public static Chunk entered(
      byte[] bytes, long firstSeq, int count, Stamp stamp, long ordinal, long bytesBefore) {
    Fixed.put(bytes, 0, stamp.nowMs(), 6);
    Fixed.put(bytes, 6, stamp.index(), 6);
    Fixed.put(bytes, 12, ordinal, 6);
    Fixed.put(bytes, 18, bytesBefore, 8);
    Fixed.put(bytes, COUNT_AT, count, 2);
    return new Chunk(firstSeq, bytes);
  }

  public byte[] bytes() {
    return bytes;
  }

  public long firstSeq() {
    return firstSeq;
  }

  /** One past the seq of its last message. */
  public long endSeq() {
    return firstSeq + count();
  }

  public long enteredMs() {
    return Fixed.get(bytes, 0, 6);
  }

  public long index() {
    return Fixed.get(bytes, 6, 6);
  }

  public long ordinal() {
    return Fixed.get(bytes, 12, 6);
  }

  public long bytesBefore() {
    return Fixed.get(bytes, 18, 8);
  }

  public int count() {
    return (int) Fixed.get(bytes, COUNT_AT, 2) & ~REPAIRED;
  }

  private boolean isRepaired() {
    return ((int) Fixed.get(bytes, COUNT_AT, 2) & REPAIRED) != 0;
  }

  /** Where the last entry ends: so many bytes it adds to its lane. */
  public int laneBytes() {
    return isRepaired() ? bytes.length - REPAIRED_BYTES : bytes.length;
  }

  /** The same messages under the same ids, entered at another time. */
  public Chunk enteredAt(long enteredMs) {
    boolean repaired = isRepaired();
    byte[] copy = java.util.Arrays.copyOf(bytes, bytes.length + (repaired ? 0 : REPAIRED_BYTES));
    if (!repaired) {
      Fixed.put(copy, bytes.length, enteredMs(), REPAIRED_BYTES);
      Fixed.put(copy, COUNT_AT, count() | REPAIRED, 2);
    }
    Fixed.put(copy, 0, enteredMs, 6);
    return new Chunk(firstSeq, copy);
  }

  public boolean covers(long seq) {
    return seq >= firstSeq && seq < endSeq();
  }

  /** Where the entry of a message begins. */
  public int offsetOf(long seq) {
    int at = HEADER_BYTES;
    for (long i = firstSeq; i < seq; i++) {
      at = after(at);
    }
    return at;
  }

  /** Where the entry behind the one at an offset begins. */
  public int after(int offset) {
    return after(bytes, offset);
  }

  static int after(byte[] bytes, int offset) {
    int payload = payloadLengthAt(bytes, offset);
    ByteReader reader = new ByteReader(bytes, payload);
    int length = reader.count();
    return reader.at() + length;
  }

  private static int payloadLengthAt(byte[] bytes, int offset) {
    int flags = bytes[offset];
    if ((flags & (NAMED | HEADERS | MOVED)) == 0) {
      return offset + 1;
    }
    ByteReader reader = new ByteReader(bytes, offset + 1);
    if ((flags & MOVED) != 0) {
      reader.skip(MOVED_BYTES);
    }
    if ((flags & NAMED) != 0) {
      int length = reader.count();
      reader.skip(length);
    }
    if ((flags & HEADERS) != 0) {
      for (int left = 2 * reader.count(); left > 0; left--) {
        int length = reader.count();
        reader.skip(length);
      }
    }
    return reader.at();
  }

  /** How many bytes of the lane lie before a message of this chunk. */
  public long bytesAt(int offset) {
    return bytesBefore() + (offset == HEADER_BYTES ? 0 : offset);
  }

  public boolean isMoved(int offset) {
    return (bytes[offset] & MOVED) != 0;
  }

  public long createdMs(int offset) {
    if (isMoved(offset)) {
      return Fixed.get(bytes, offset + 1, 6);
    }
    return isRepaired() ? Fixed.get(bytes, laneBytes(), REPAIRED_BYTES) : enteredMs();
  }

  /** The seq that the id of a message was made of. */
  public long idSeq(long seq, int offset) {
    return isMoved(offset) ? Fixed.get(bytes, offset + 7, 6) : seq;
  }

  /** The transactionId in UTF-8, or null. */
  public byte @Nullable [] name(int offset) {
    if ((bytes[offset] & NAMED) == 0) {
      return null;
    }
    return new ByteReader(bytes, offset + 1 + (isMoved(offset) ? MOVED_BYTES : 0)).bytes();
  }

  public @Nullable String transactionId(int offset) {
    byte[] name = name(offset);
    return name == null ? null : new String(name, StandardCharsets.UTF_8);
  }

  public Map<String, String> headers(int offset) {
    int flags = bytes[offset];
    if ((flags & HEADERS) == 0) {
      return Map.of();
    }
    ByteReader reader = new ByteReader(bytes, offset + 1 + (isMoved(offset) ? MOVED_BYTES : 0));
    if ((flags & NAMED) != 0) {
      int length = reader.count();
      reader.skip(length);
    }
    Map<String, String> headers = new TreeMap<>();
    for (int left = reader.count(); left > 0; left--) {
      String key = reader.text();
      headers.put(key, reader.text());
    }
    return headers;
  }

  public byte[] payload(int offset) {
    return new ByteReader(bytes, payloadLengthAt(bytes, offset)).bytes();
  }

  /**
   * A message as it is stored: if it has a seal, its payload is the {@link Envelope}, and nobody
   * outside may see it before it is opened.
   */
  public Message message(
      String queue, String partition, Position position, int offset, long visibleMs) {
    long createdMs = createdMs(offset);
    return new Message(
        MessageId.uuid(createdMs, position.partition(), idSeq(position.seq(), offset)),
        queue,
        partition,
        position,
        transactionId(offset),
        payload(offset),
        headers(offset),
        createdMs,
        visibleMs,
        isSealed(offset) ? new Seal(Envelope.keyText(keyId(offset)), null) : null);
  }

  /** Whether the payload of a message is an {@link Envelope}. */
  public boolean isSealed(int offset) {
    return (bytes[offset] & SEALED) != 0;
  }

  /** The key of a sealed payload. */
  public int keyId(int offset) {
    ByteReader reader = new ByteReader(bytes, payloadLengthAt(bytes, offset));
    reader.count();
    return Envelope.keyId(bytes, reader.at());
  }

  /** The bytes of one entry. */
  public byte[] entry(int offset) {
    return java.util.Arrays.copyOfRange(bytes, offset, after(offset));
  }
}
