package io.holdfast.engine.logic;

import io.holdfast.engine.command.Chunk;
import java.util.Iterator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** Recently pushed or read chunks, up to a number of bytes, oldest dropped first. */
final class ChunkCache {
  private record Place(long partition, int lane, long firstSeq) {}

  /** What an entry takes besides the bytes of its chunk. */
  private static final int ENTRY_BYTES = 150;

  private final long bytesMax;
  private final LinkedHashMap<Place, Chunk> chunks = new LinkedHashMap<>();
  private long bytes;

  ChunkCache(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  void add(long partition, int lane, Chunk chunk) {
    Chunk before = chunks.put(new Place(partition, lane, chunk.firstSeq()), chunk);
    bytes += size(chunk) - (before == null ? 0 : size(before));
    Iterator<Chunk> oldest = chunks.values().iterator();
    while (bytes > bytesMax && oldest.hasNext()) {
      bytes -= size(oldest.next());
      oldest.remove();
    }
  }

  private static int size(Chunk chunk) {
    return chunk.bytes().length + ENTRY_BYTES;
  }

  @Nullable Chunk get(long partition, int lane, long firstSeq) {
    return chunks.get(new Place(partition, lane, firstSeq));
  }
}
