package io.holdfast.bench;

import io.holdfast.api.message.Message;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * What consumers were given, partition by partition: it finds a message that came twice, out of
 * turn, or not at all.
 *
 * <p>Thread: any.
 */
public final class Deliveries {
  private final List<Lane> lanes = new ArrayList<>();
  private final boolean ordered;

  /**
   * @param ordered whether each partition must deliver in the order of its messages' numbers
   */
  public Deliveries(int partitions, boolean ordered) {
    for (int i = 0; i < partitions; i++) {
      lanes.add(new Lane());
    }
    this.ordered = ordered;
  }

  /** Notes a delivery, and throws if it was there before or is out of turn. */
  public void note(Message message) {
    if (message.payload().length != Payload.BYTES) {
      throw new CheckFailedException("message " + message.id() + " has a payload nobody pushed");
    }
    note(Payload.partition(message.payload()), Payload.seq(message.payload()));
  }

  /** The same for a message of which the numbers are known. */
  public void note(int partition, long seq) {
    if (partition < 0 || partition >= lanes.size()) {
      throw new CheckFailedException("a message is of partition " + partition + ", nobody's");
    }
    Lane lane = lanes.get(partition);
    synchronized (lane) {
      if (lane.seen.get((int) seq)) {
        throw new CheckFailedException(
            "message " + seq + " of partition " + partition + " was delivered twice");
      }
      if (ordered && seq != lane.count) {
        throw new CheckFailedException(
            "partition " + partition + ": expected message " + lane.count + ", but got " + seq);
      }
      lane.seen.set((int) seq);
      lane.count++;
    }
  }

  /** Throws unless exactly the messages 0 to count - 1 of a partition were delivered. */
  public void verify(int partition, long count) {
    Lane lane = lanes.get(partition);
    synchronized (lane) {
      CheckFailedException.expectEqual("deliveries of partition " + partition, count, lane.count);
      CheckFailedException.expectEqual(
          "first undelivered message of partition " + partition, count, lane.seen.nextClearBit(0));
    }
  }

  private static final class Lane {
    final BitSet seen = new BitSet();
    long count;
  }
}
