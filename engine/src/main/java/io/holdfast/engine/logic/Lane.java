package io.holdfast.engine.logic;

import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One priority of a partition: a log of messages, of which the oldest are trimmed.
 *
 * <p>Invariant: {@code trimmed <= entered}; what is stored lies between {@code firstSeq} and {@code
 * endSeq}. Counts run from the lane's first message ever and never fall.
 *
 * <p>Only the rules of this package change it; other packages read its public fields.
 */
public final class Lane {
  public final int number;

  /** No message before this seq is stored. */
  public long firstSeq;

  /** One past the seq of the newest message. */
  public long endSeq;

  public long entered;
  public long trimmed;
  public long enteredBytes;
  public long trimmedBytes;

  /** Stored messages that have rows elsewhere: a name, or a place that their id does not tell. */
  public long indexed;

  /** Whether tasks are, or were, kept of its messages. */
  boolean tracked;

  public long lastEnteredMs;

  /** Everything before this seq was purged: not delivered, not kept. */
  public long purgedSeq;

  /** What had entered before that. */
  long purged;

  long purgedBytes;

  /** When the oldest stored chunk entered; 0 if there is none. */
  long firstMs;

  /** Cancelled messages that are still stored; null for none. */
  public @Nullable TreeSet<Long> holes;

  Lane(int number, long firstSeq) {
    this.number = number;
    this.firstSeq = firstSeq;
    this.endSeq = firstSeq;
  }

  public long stored() {
    return entered - trimmed;
  }

  public long storedBytes() {
    return enteredBytes - trimmedBytes;
  }

  public boolean isEmpty() {
    return entered == trimmed;
  }

  /** Whether trim has to read a message to remove the rows it has elsewhere. */
  boolean hasRowsElsewhere() {
    return indexed > 0 || tracked;
  }

  boolean isHole(long seq) {
    return holes != null && holes.contains(seq);
  }

  /** How many cancelled messages lie at or after a seq. */
  int holesFrom(long seq) {
    return holes == null ? 0 : holes.tailSet(seq, true).size();
  }

  void write(ByteWriter out) {
    out.varint(number)
        .varint(firstSeq)
        .varint(endSeq)
        .varint(entered)
        .varint(trimmed)
        .varint(enteredBytes)
        .varint(trimmedBytes)
        .varint(indexed)
        .varint(firstMs)
        .varint(lastEnteredMs)
        .varint(purgedSeq)
        .varint(purged)
        .varint(purgedBytes)
        .flag(tracked);
  }

  static Lane read(ByteReader in) {
    Lane lane = new Lane(in.count(), in.varint());
    lane.endSeq = in.varint();
    lane.entered = in.varint();
    lane.trimmed = in.varint();
    lane.enteredBytes = in.varint();
    lane.trimmedBytes = in.varint();
    lane.indexed = in.varint();
    lane.firstMs = in.varint();
    lane.lastEnteredMs = in.varint();
    lane.purgedSeq = in.varint();
    lane.purged = in.varint();
    lane.purgedBytes = in.varint();
    lane.tracked = in.flag();
    return lane;
  }
}
