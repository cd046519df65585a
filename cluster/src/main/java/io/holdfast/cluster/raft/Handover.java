package io.holdfast.cluster.raft;

import io.holdfast.engine.EntryLog.Proposal;
import io.holdfast.engine.Replica;
import io.holdfast.engine.command.LogPosition;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Hands entries and changes of the leader over to the replica, one at a time.
 *
 * <p>Ratis applies entries on one thread and ends leadership on others, which hold the lock of the
 * server: those must not wait while the replica takes entries slowly. So whoever is handing over
 * does their work too.
 *
 * <p>Thread: any; {@link #committed} and {@link #lead} only the one that applies entries.
 */
final class Handover {
  private final Replica replica;
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicBoolean lost = new AtomicBoolean();

  Handover(Replica replica) {
    this.replica = replica;
  }

  /** Hands over the next entry; waits while too many wait to be applied. */
  void committed(LogPosition position, byte[] entry, @Nullable Proposal proposal) {
    lock.lock();
    try {
      followIfLost();
      replica.committed(position, entry, proposal);
    } finally {
      release();
    }
  }

  /** This node leads, and all entries of earlier terms were handed over. */
  void lead(long term) {
    lock.lock();
    try {
      followIfLost();
      replica.lead(term);
    } finally {
      release();
    }
  }

  /** This node does not lead any more. Does not wait. */
  void follow() {
    lost.set(true);
    if (lock.tryLock()) {
      release();
    }
  }

  /** A call that comes between the last look and the release finds the lock taken: look again. */
  private void release() {
    do {
      try {
        followIfLost();
      } finally {
        lock.unlock();
      }
    } while (lost.get() && lock.tryLock());
  }

  private void followIfLost() {
    if (lost.compareAndSet(true, false)) {
      replica.follow();
    }
  }
}
