package io.holdfast.cluster;

import io.holdfast.engine.EntryLog.Proposal;
import io.holdfast.engine.Replica;
import io.holdfast.engine.command.LogPosition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A replica whose broker is replaced while its log continues: each test of a contract gets an empty
 * broker, and all share one log.
 */
final class SwitchedReplica implements Replica {
  private @Nullable Replica current;
  private LogPosition last = LogPosition.START;
  private long term;

  /** Entries go to another broker from here on. */
  synchronized void use(Replica next) {
    current = next;
    if (term > 0) {
      next.lead(term);
    }
  }

  /** Entries go nowhere. */
  synchronized void leave() {
    if (current != null) {
      current.follow();
    }
    current = null;
  }

  @Override
  public synchronized void committed(
      LogPosition position, byte[] entry, @Nullable Proposal proposal) {
    last = position;
    if (current != null) {
      current.committed(position, entry, proposal);
    }
  }

  @Override
  public synchronized void lead(long newTerm) {
    term = newTerm;
    if (current != null) {
      current.lead(newTerm);
    }
  }

  @Override
  public synchronized void follow() {
    term = 0;
    if (current != null) {
      current.follow();
    }
  }

  @Override
  public synchronized boolean isLeading() {
    return current != null && current.isLeading();
  }

  @Override
  public synchronized LogPosition applied() {
    return last;
  }

  @Override
  public long appliedMs() {
    return 0;
  }

  @Override
  public synchronized LogPosition flush() {
    return LogPosition.START;
  }

  @Override
  public synchronized List<AnswersMark> marks() {
    return current == null ? List.of() : current.marks();
  }
}
