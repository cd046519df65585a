package io.holdfast.engine.command;

import io.holdfast.api.message.NewMessage;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The bytes of a {@link Chunk} being put together, its header left open. */
public final class ChunkWriter {
  private final ByteWriter out;
  private int count;

  public ChunkWriter(int capacity) {
    out = new ByteWriter(Chunk.HEADER_BYTES + capacity).skip(Chunk.HEADER_BYTES);
  }

  public int count() {
    return count;
  }

  /** Whether the next message belongs into a chunk of its own. */
  public boolean isFull() {
    return out.size() >= Chunk.BYTES_MAX || count >= Chunk.COUNT_MAX;
  }

  /**
   * Adds a message.
   *
   * @param envelope its sealed payload; null if the payload stays as it is
   */
  public ChunkWriter add(NewMessage message, byte @Nullable [] envelope) {
    String name = message.transactionId();
    Map<String, String> headers = message.headers();
    out.byte1(
        (name == null ? 0 : Chunk.NAMED)
            | (headers.isEmpty() ? 0 : Chunk.HEADERS)
            | (envelope == null ? 0 : Chunk.SEALED));
    rest(name, headers, envelope == null ? message.payload() : envelope);
    return this;
  }

  private void rest(@Nullable String name, Map<String, String> headers, byte[] payload) {
    if (name != null) {
      out.bytes(name.getBytes(StandardCharsets.UTF_8));
    }
    if (!headers.isEmpty()) {
      out.varint(headers.size());
      new TreeMap<>(headers).forEach((key, value) -> out.text(key).text(value));
    }
    out.bytes(payload);
    count++;
  }

  /** Adds an entry of another chunk as it is. */
  public ChunkWriter copy(byte[] entry) {
    out.raw(entry, 0, entry.length);
    count++;
    return this;
  }

  /** Adds an entry of another chunk under the id it had, its creation time and id written out. */
  public ChunkWriter copyMoved(byte[] entry, long createdMs, long idSeq) {
    if ((entry[0] & Chunk.MOVED) != 0) {
      return copy(entry);
    }
    out.byte1(entry[0] | Chunk.MOVED).fixed(createdMs, 6).fixed(idSeq, 6);
    out.raw(entry, 1, entry.length - 1);
    count++;
    return this;
  }

  public byte[] done() {
    return out.done();
  }
}
