package io.holdfast.engine.command;

import io.holdfast.api.message.NewMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one push for one lane, already in the form of a chunk, so that the thread that
 * applies commands does not encode them.
 *
 * @param bytes a chunk with an open header; the store takes them over
 * @param items where each message stood in the request
 * @param names the transactionIds, null for none; empty if none of them has a name
 * @param delayMs of a chunk of one delayed message, relative; else 0
 * @param visibleAtMs of a chunk of one delayed message, absolute; else 0
 */
public record Packed(
    String queue,
    String partition,
    int lane,
    byte[] bytes,
    int[] items,
    List<@Nullable String> names,
    long delayMs,
    long visibleAtMs) {
  private record Place(String queue, String partition, int lane) {}

  public int count() {
    return items.length;
  }

  public boolean isDelayed() {
    return delayMs > 0 || visibleAtMs > 0;
  }

  /** Whether every payload is sealed. */
  public boolean isSealed() {
    int offset = Chunk.HEADER_BYTES;
    for (int left = count(); left > 0; left--) {
      if ((bytes[offset] & Chunk.SEALED) == 0) {
        return false;
      }
      offset = Chunk.after(bytes, offset);
    }
    return true;
  }

  /** Packs messages as they are. */
  public static List<Packed> of(List<NewMessage> messages) {
    return of(messages, Sealer.NONE);
  }

  /** Packs messages by lane, in the order in which the lanes are first named. */
  public static List<Packed> of(List<NewMessage> messages, Sealer sealer) {
    if (messages.size() == 1) {
      return List.of(single(messages.getFirst(), 0, sealer));
    }
    List<Packed> packed = new ArrayList<>();
    Map<Place, Open> open = new LinkedHashMap<>();
    Place place = null;
    Open into = null;
    for (int i = 0; i < messages.size(); i++) {
      NewMessage message = messages.get(i);
      if (message.delayMs() > 0 || message.visibleAtMs() > 0) {
        packed.add(single(message, i, sealer));
        continue;
      }
      if (into == null
          || place == null
          || place.lane != message.lane()
          || !place.partition.equals(message.partition())
          || !place.queue.equals(message.queue())) {
        place = new Place(message.queue(), message.partition(), message.lane());
        into = open.computeIfAbsent(place, named -> new Open(named, open.size()));
      }
      into.add(message, sealer.seal(message), i, messages.size() - i, packed);
    }
    open.values().forEach(last -> last.flush(packed));
    return packed;
  }

  private static Packed single(NewMessage message, int item, Sealer sealer) {
    String name = message.transactionId();
    byte[] envelope = sealer.seal(message);
    int length = envelope == null ? message.payload().length : envelope.length;
    return new Packed(
        message.queue(),
        message.partition(),
        message.lane(),
        new ChunkWriter(length + 16).add(message, envelope).done(),
        new int[] {item},
        name == null ? List.of() : List.of(name),
        message.delayMs(),
        message.visibleAtMs());
  }

  /** The same messages without some of them. */
  public Packed without(Map<Integer, UUID> dropped) {
    ChunkWriter writer = new ChunkWriter(bytes.length);
    List<@Nullable String> kept = new ArrayList<>();
    int[] left = new int[items.length - dropped.size()];
    int offset = Chunk.HEADER_BYTES;
    for (int i = 0; i < items.length; i++) {
      int next = Chunk.after(bytes, offset);
      if (!dropped.containsKey(i)) {
        left[writer.count()] = items[i];
        kept.add(names.get(i));
        writer.copy(Arrays.copyOfRange(bytes, offset, next));
      }
      offset = next;
    }
    return new Packed(queue, partition, lane, writer.done(), left, kept, delayMs, visibleAtMs);
  }

  /** A lane's chunk being filled. */
  private static final class Open {
    private final Place place;
    private final int others;
    private @Nullable ChunkWriter writer;
    private int[] items = new int[0];
    private List<@Nullable String> names = new ArrayList<>();
    private boolean named;

    /**
     * @param others how many lanes have been named before: few of what comes may be for this one
     */
    Open(Place place, int others) {
      this.place = place;
      this.others = others;
    }

    void add(
        NewMessage message, byte @Nullable [] envelope, int item, int expected, List<Packed> done) {
      ChunkWriter into = writer;
      if (into == null) {
        int length = envelope == null ? message.payload().length : envelope.length;
        int share = Math.max(1, expected / (1 + others));
        int capacity = (length + 16) * share;
        into = new ChunkWriter(Math.min(capacity, Chunk.BYTES_MAX + 1024));
        items = new int[share];
        writer = into;
      }
      if (into.count() == items.length) {
        items = Arrays.copyOf(items, 2 * items.length);
      }
      items[into.count()] = item;
      String name = message.transactionId();
      names.add(name);
      named |= name != null;
      into.add(message, envelope);
      if (into.isFull()) {
        flush(done);
      }
    }

    void flush(List<Packed> done) {
      ChunkWriter full = writer;
      if (full == null) {
        return;
      }
      done.add(
          new Packed(
              place.queue,
              place.partition,
              place.lane,
              full.done(),
              Arrays.copyOf(items, full.count()),
              named ? names : List.of(),
              0,
              0));
      writer = null;
      names = new ArrayList<>();
      named = false;
    }
  }
}
