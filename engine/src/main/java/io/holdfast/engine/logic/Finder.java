package io.holdfast.engine.logic;

import io.holdfast.api.message.Message;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.Position;
import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.command.ChunkWriter;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.Stamp;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.View;
import org.jspecify.annotations.Nullable;

/** Where a message is, by its id or its name: kept aside, or in a lane. */
public final class Finder {
  /**
   * A message that was found.
   *
   * @param delayed what is kept aside; null if the message is in its lane
   * @param seq its seq in the lane; of a message kept aside, the one its id is made of
   */
  public record Found(
      MessageId id,
      Partition partition,
      int lane,
      long seq,
      Chunk chunk,
      int offset,
      @Nullable Delayed delayed) {
    public Message message() {
      return Finder.message(partition, lane, seq, chunk, offset, delayed);
    }
  }

  /** The lane and seq of a message that left the seq in its id. */
  record Place(int lane, long seq) {
    byte[] bytes() {
      return new ByteWriter(12).varint(lane).varint(seq).done();
    }

    static Place read(byte[] row) {
      ByteReader in = new ByteReader(row);
      return new Place(in.count(), in.varint());
    }
  }

  private Finder() {}

  public static @Nullable MessageId id(ShardState state, View view, MessageRef ref) {
    return switch (ref) {
      case MessageRef.ById byId -> MessageId.of(byId.id());
      case MessageRef.ByName name -> {
        Queue queue = state.queue(name.queue());
        Partition partition = queue == null ? null : queue.partitions.get(name.partition());
        yield partition == null ? null : named(view, partition, name.transactionId());
      }
      case MessageRef.InPartition in -> {
        Partition partition = state.partition(in.partition());
        yield partition == null ? null : named(view, partition, in.transactionId());
      }
    };
  }

  /** The id of the message of a name; a message without a name goes by its id, written out. */
  static @Nullable MessageId named(View view, Partition partition, String name) {
    byte[] row = view.get(Tables.name(partition.queue.number, partition.number, Tables.utf8(name)));
    if (row == null) {
      MessageId id = MessageId.parse(name);
      return id != null && id.equals(MessageId.of(id.createdMs(), partition.number, id.seq()))
          ? id
          : null;
    }
    return NameRow.read(row).id(partition);
  }

  public static @Nullable Found find(ShardState state, View view, MessageId id) {
    Partition partition = state.partition(id);
    if (partition == null) {
      return null;
    }
    int queue = partition.queue.number;
    byte[] aside = view.get(Tables.delayed(queue, partition.number, id.seq()));
    if (aside != null) {
      Delayed delayed = Delayed.read(aside);
      Chunk chunk = alone(delayed.entry(), delayed.createdMs(), id.seq(), id.seq());
      return delayed.createdMs() != id.createdMs()
          ? null
          : new Found(id, partition, delayed.lane(), id.seq(), chunk, Chunk.HEADER_BYTES, delayed);
    }
    byte[] moved = view.get(Tables.moved(queue, partition.number, id.seq()));
    if (moved != null) {
      Place place = Place.read(moved);
      Lane lane = partition.lane(place.lane);
      return lane == null ? null : inLane(view, id, partition, lane, place.seq);
    }
    for (Lane lane : partition.lanes) {
      Found found = inLane(view, id, partition, lane, id.seq());
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** A message whose lane has trimmed it, but that was requeued from the dead letters. */
  private static @Nullable Chunk requeued(View view, Partition partition, Lane lane, long seq) {
    for (Subscription subscription : partition.subscriptions) {
      if (subscription.group.deleted) {
        continue;
      }
      LaneCursor cursor = subscription.cursor(lane.number);
      Returned returned = cursor == null ? null : cursor.returned(seq);
      if (returned != null && returned.isRequeued()) {
        return subscription.requeued(view, lane.number, seq);
      }
    }
    return null;
  }

  private static @Nullable Found inLane(
      View view, MessageId id, Partition partition, Lane lane, long seq) {
    Chunk chunk = LaneLog.holding(view, partition, lane, seq);
    if (chunk == null) {
      chunk = requeued(view, partition, lane, seq);
    }
    if (chunk == null) {
      return null;
    }
    int offset = chunk.offsetOf(seq);
    boolean same =
        chunk.idSeq(seq, offset) == id.seq() && chunk.createdMs(offset) == id.createdMs();
    return same ? new Found(id, partition, lane.number, seq, chunk, offset, null) : null;
  }

  /** Remembers where a message went whose id tells another seq. */
  static void moved(Turn turn, Partition partition, long idSeq, int lane, long seq) {
    turn.state().index(partition);
    turn.tx()
        .put(
            Tables.moved(partition.queue.number, partition.number, idSeq),
            new Place(lane, seq).bytes());
  }

  /** A chunk of one message, with its creation time and id written out. */
  public static Chunk alone(byte[] entry, long createdMs, long idSeq, long seq) {
    byte[] bytes = new ChunkWriter(entry.length + 12).copyMoved(entry, createdMs, idSeq).done();
    return Chunk.entered(bytes, seq, 1, new Stamp(0, createdMs, 0), 0, 0);
  }

  public static Message message(
      Partition partition, int lane, long seq, Chunk chunk, int offset, @Nullable Delayed delayed) {
    return chunk.message(
        partition.queue.name,
        partition.name,
        new Position(partition.number, lane, seq),
        offset,
        delayed == null ? chunk.enteredMs() : delayed.visibleAtMs());
  }
}
