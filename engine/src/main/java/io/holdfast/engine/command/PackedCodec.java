package io.holdfast.engine.command;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Packed messages as bytes. */
final class PackedCodec {
  private PackedCodec() {}

  static void write(ByteWriter out, Packed packed) {
    out.text(packed.queue()).text(packed.partition()).varint(packed.lane()).bytes(packed.bytes());
    out.varint(packed.count());
    for (int item : packed.items()) {
      out.varint(item);
    }
    out.flag(!packed.names().isEmpty());
    packed.names().forEach(out::maybe);
    out.varint(packed.delayMs()).varint(packed.visibleAtMs());
  }

  static Packed read(ByteReader in) {
    String queue = in.text();
    String partition = in.text();
    int lane = in.count();
    byte[] bytes = in.bytes();
    int[] items = new int[in.elements()];
    for (int i = 0; i < items.length; i++) {
      items[i] = in.count();
    }
    List<@Nullable String> names = new ArrayList<>();
    for (int left = in.flag() ? items.length : 0; left > 0; left--) {
      names.add(in.maybe());
    }
    checkChunk(bytes, items.length);
    return new Packed(queue, partition, lane, bytes, items, names, in.varint(), in.varint());
  }

  /** Makes sure that a chunk holds so many messages: the rules walk over them unchecked. */
  private static void checkChunk(byte[] bytes, int count) {
    int offset = Chunk.HEADER_BYTES;
    for (int i = 0; i < count; i++) {
      int next = offset < bytes.length ? Chunk.after(bytes, offset) : 0;
      if (next > offset && (bytes[offset] & ~Chunk.PUSHED_FLAGS) != 0) {
        throw new IllegalArgumentException("message " + i + " has unknown flags");
      }
      if (next <= offset || next > bytes.length) {
        throw new IllegalArgumentException("message " + i + " does not end in its chunk");
      }
      offset = next;
    }
    if (count == 0 || offset != bytes.length) {
      throw new IllegalArgumentException("a chunk of " + count + " messages has another end");
    }
  }
}
