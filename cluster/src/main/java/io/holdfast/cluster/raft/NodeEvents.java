package io.holdfast.cluster.raft;

import org.jspecify.annotations.Nullable;

/** Hears of changes that concern the whole node. Called on threads of the log; must not block. */
public interface NodeEvents {
  /** The leader is another one now, or unknown. */
  default void leaderChanged(@Nullable Member leader) {}

  /**
   * The node cannot continue: its log failed, or it must not join under its name. The process has
   * to end.
   *
   * @param reason what failed, and what to do
   */
  void failed(String reason);
}
