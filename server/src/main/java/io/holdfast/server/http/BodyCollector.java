package io.holdfast.server.http;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Collects the body of a request, as far as it is not too large and there is room.
 *
 * <p>Room is taken for bytes that have come, not for those that a client announces.
 *
 * <p>Thread: one at a time.
 */
final class BodyCollector {
  private static final byte[] NOTHING = {};

  private final int bytesMax;
  private final long announced;
  private final boolean json;
  private final Room.Share share;
  private final KeyCount keys = new KeyCount();
  private byte[] bytes = NOTHING;
  private int length;

  /**
   * @param announced the length that the request announces; negative if it comes in chunks
   * @param json whether the keys in it are counted
   * @throws Problem if it is too large
   */
  BodyCollector(int bytesMax, long announced, boolean json, Room.Share share) {
    this.bytesMax = bytesMax;
    this.announced = announced;
    this.json = json;
    this.share = share;
    if (announced > bytesMax) {
      throw tooLarge();
    }
  }

  /**
   * Adds bytes.
   *
   * @throws Problem if they are too many, or there is no room
   */
  void add(ByteBuffer more) {
    int count = more.remaining();
    if (count > bytesMax - length) {
      throw tooLarge();
    }
    if (count > bytes.length - length) {
      grow(length + count);
    }
    more.get(bytes, length, count);
    length += count;
  }

  private void grow(int needed) {
    int most = announced < 0 ? bytesMax : (int) announced;
    int capacity = Math.max(bytes.length, Math.min(most, Room.SMALL_BYTES));
    while (capacity < needed) {
      capacity = (int) Math.min(2L * capacity, most);
    }
    share.take(Math.max(0, capacity - Math.max(bytes.length, Room.SMALL_BYTES)));
    bytes = Arrays.copyOf(bytes, capacity);
    if (json && length > KeyCount.SMALL_BYTES) {
      keys.count(bytes, length);
    }
  }

  /**
   * The whole body.
   *
   * @throws Problem if it has too many keys
   */
  byte[] whole() {
    if (json && length > KeyCount.SMALL_BYTES) {
      keys.count(bytes, length);
    }
    return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }

  private Problem tooLarge() {
    return Problem.of(
        413, "TOO_LARGE", "the body: expected at most " + bytesMax + " bytes, but got more");
  }
}
