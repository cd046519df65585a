package io.holdfast.cluster.raft;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after a running node: the size of its log, and whether it may lead.
 *
 * <p>Thread: it has one of its own.
 */
final class NodeUpkeep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeUpkeep.class);
  private static final Duration TICK = Duration.ofMillis(250);

  private final LogKeeper keeper;
  private final Membership membership;
  private final BooleanSupplier mayLead;
  private final Thread thread;

  private volatile boolean closed;
  private boolean candidate = true;
  private String failure = "";

  NodeUpkeep(LogKeeper keeper, Membership membership, BooleanSupplier mayLead) {
    this.keeper = keeper;
    this.membership = membership;
    this.mayLead = mayLead;
    this.thread = Thread.ofPlatform().daemon().name("holdfast-upkeep").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!closed) {
      try {
        keeper.look();
        lookAtLeadership();
      } catch (Exception | Error failed) {
        complain(failed);
      }
      LockSupport.parkNanos(this, TICK.toNanos());
    }
  }

  /** Logs a failure once, not at every look. */
  private void complain(Throwable failed) {
    if (!closed && !failed.toString().equals(failure)) {
      failure = failed.toString();
      LOG.error("The log of this node could not be looked after; it is tried again.", failed);
    }
  }

  /** A node that may not lead asks for no votes, and gives leadership away. */
  private void lookAtLeadership() {
    boolean may = mayLead.getAsBoolean();
    if (may != candidate) {
      membership.setCandidate(may);
      candidate = may;
      LOG.warn(
          may
              ? "This node may lead the cluster again."
              : "This node must not lead the cluster now: its clock differs too much from those of"
                  + " the other nodes.");
    }
    if (!may) {
      membership.giveLeadershipAway();
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    try {
      if (!Thread.currentThread().equals(thread)) {
        thread.join();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
