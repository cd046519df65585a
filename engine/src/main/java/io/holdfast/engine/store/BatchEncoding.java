package io.holdfast.engine.store;

/**
 * The bytes of a batch as RocksDB keeps them: 8 bytes of sequence number (RocksDB fills them in), 4
 * bytes of count, little-endian, then per write its kind and one or two arrays, each behind its
 * length as a varint.
 *
 * <p>Encoding here means one call into native code per batch instead of one per row.
 */
final class BatchEncoding {
  private static final int COUNT_AT = 8;
  private static final int HEADER_BYTES = 12;

  private final byte[] bytes;
  private int at = HEADER_BYTES;

  private BatchEncoding(int size) {
    bytes = new byte[size];
  }

  static byte[] encode(Writes writes) {
    BatchEncoding encoding = new BatchEncoding(size(writes));
    encoding.count(writes.count());
    for (int i = 0; i < writes.count(); i++) {
      byte kind = writes.kind(i);
      encoding.bytes[encoding.at++] = kind;
      encoding.array(writes.first(i));
      if (kind != Writes.DELETE) {
        encoding.array(writes.second(i));
      }
    }
    return encoding.bytes;
  }

  // Counted first: RocksDB takes a whole array, so that one with room to spare had to be copied.
  private static int size(Writes writes) {
    long size = HEADER_BYTES + writes.count() + writes.bytes();
    for (int i = 0; i < writes.count(); i++) {
      size += varintBytes(writes.first(i).length);
      if (writes.kind(i) != Writes.DELETE) {
        size += varintBytes(writes.second(i).length);
      }
    }
    return Math.toIntExact(size);
  }

  private static int varintBytes(int value) {
    return value == 0 ? 1 : (38 - Integer.numberOfLeadingZeros(value)) / 7;
  }

  private void count(int count) {
    for (int i = 0; i < Integer.BYTES; i++) {
      bytes[COUNT_AT + i] = (byte) (count >>> (8 * i));
    }
  }

  private void array(byte[] array) {
    int rest = array.length;
    while (rest > 0x7f) {
      bytes[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[at++] = (byte) rest;
    System.arraycopy(array, 0, bytes, at, array.length);
    at += array.length;
  }
}
