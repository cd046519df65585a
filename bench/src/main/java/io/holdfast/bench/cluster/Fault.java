package io.holdfast.bench.cluster;

import io.holdfast.bench.cluster.FaultRun.Step;
import java.util.Locale;

/** A disturbance of a cluster, which is healed after a while. */
public enum Fault {
  /** Nothing happens, to have something to compare with. */
  NONE(run -> run.begun()),
  /** {@code kill -9} of any node, and a restart some seconds later. */
  KILL_ONE(run -> run.killAndRestart(run.anyMember())),
  /** {@code kill -9} of the leader, and a restart some seconds later. */
  KILL_LEADER(run -> run.killAndRestart(run.leader())),
  /** {@code kill -9} of all nodes within some milliseconds, and a restart of all. */
  KILL_ALL(FaultRun::killAll),
  /** The leader stops for 1 to 20 seconds and then continues, without knowing of it. */
  PAUSE_LEADER(run -> run.pause(run.leader())),
  /** Any node stops for 1 to 20 seconds and then continues. */
  PAUSE_ONE(run -> run.pause(run.anyMember())),
  /** All nodes stop for 1 to 5 seconds and then continue. */
  PAUSE_ALL(FaultRun::pauseAll),
  /** The leader and the other nodes do not reach each other; clients reach all of them. */
  CUT_LEADER(run -> run.cut(run.leader(), true, true)),
  /** Nothing that the leader sends reaches the other nodes. */
  CUT_FROM_LEADER(run -> run.cut(run.leader(), true, false)),
  /** Nothing that the other nodes send reaches the leader. */
  CUT_TO_LEADER(run -> run.cut(run.leader(), false, true)),
  /** Any node and the others do not reach each other. */
  CUT_ONE(run -> run.cut(run.anyMember(), true, true)),
  /** Two nodes do not reach each other, and both reach the third. */
  CUT_PAIR(FaultRun::cutPair),
  /** What nodes send to each other takes 20 to 100 ms longer. */
  SLOW_LINKS(FaultRun::slowLinks),
  /** A node is added, another one removed, and a third one loses its data and is replaced. */
  CHANGE_MEMBERS(FaultRun::changeMembers),
  /** The lead is handed to another node, as before an upgrade. */
  TRANSFER(FaultRun::transfer),
  /** One node after the other is stopped and started again, as in an upgrade. */
  ROLLING_RESTART(FaultRun::rollingRestart),
  /** A node is away for 1,000,000 messages, and comes back by the log. */
  AWAY(FaultRun::away),
  /** A node is away for more than the log keeps, and comes back by a checkpoint. */
  AWAY_LONG(FaultRun::awayLong),
  /**
   * All nodes forget some seconds, as with disks that report writes as stored which are not. This
   * loses what was acknowledged: the run has to report it.
   */
  LOSE_WRITES(FaultRun::loseWrites);

  private final Step step;

  Fault(Step step) {
    this.step = step;
  }

  /** Disturbs the cluster and heals it; all members run afterwards. */
  Step step() {
    return step;
  }

  /** Whether it needs a network between the nodes that can be cut. */
  boolean isOfNetwork() {
    return name().startsWith("CUT_") || this == SLOW_LINKS;
  }

  /** Its name in options and figures. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }
}
