package io.holdfast.cluster.raft;

import java.io.IOException;

/** Asks another node for its state, while this one starts. */
@FunctionalInterface
public interface NodeProbe {
  /**
   * Asks once. Takes a few seconds at most.
   *
   * @param address host and port of the other node
   * @throws IOException if the node does not answer
   */
  NodeState ask(String address) throws IOException;
}
