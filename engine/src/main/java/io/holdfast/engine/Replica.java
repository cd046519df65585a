package io.holdfast.engine;

import io.holdfast.engine.EntryLog.Proposal;
import io.holdfast.engine.command.LogPosition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The side of a broker that follows the log of a cluster.
 *
 * <p>Thread: one thread at a time hands over entries and changes of the leader, in the order of the
 * log.
 */
public interface Replica {
  /** The marks of the nodes are this many entries apart. */
  int MARK_ENTRIES = 10_000;

  /**
   * Hands over the next committed entry. It is applied soon; this waits while too many entries are
   * waiting to be applied. Entries that the stored rows contain already are skipped.
   *
   * @param proposal the proposal, if this node has made it and still has it
   */
  void committed(LogPosition position, byte[] entry, @Nullable Proposal proposal);

  /**
   * This node leads from now on: all entries of earlier terms were handed over. The broker begins
   * to take calls once they are applied.
   */
  void lead(long term);

  /** This node does not lead any more: calls that wait are refused, and none are taken. */
  void follow();

  /** Whether the broker takes calls. */
  boolean isLeading();

  /**
   * A hash of what all commands up to an entry were answered.
   *
   * @param index the index of the entry
   */
  record AnswersMark(long index, long hash) {}

  /**
   * The newest marks, oldest first: one at each entry whose index is a multiple of {@link
   * #MARK_ENTRIES}. Nodes with the same rows have the same marks.
   */
  List<AnswersMark> marks();

  /** The position of the last entry that was applied. */
  LogPosition applied();

  /** The time of the last command that was applied, by the clock of its leader. */
  long appliedMs();

  /**
   * Writes to the disk what was applied.
   *
   * @return the position up to which the log is not needed for this node any more
   */
  LogPosition flush();
}
