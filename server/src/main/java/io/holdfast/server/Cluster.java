package io.holdfast.server;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cluster that a served broker is a node of. A served broker that is one too is operated over
 * HTTP.
 *
 * <p>Thread: any.
 */
public interface Cluster {
  /** Of a broker that is no node of a cluster. */
  Cluster NONE =
      new Cluster() {
        @Override
        public Result<Status> status() {
          return Result.refused(ErrorCode.UNSUPPORTED, "this server is not a node of a cluster");
        }

        @Override
        public Result<Status> change(Change change) {
          return status();
        }

        @Override
        public @Nullable String unready() {
          return null;
        }
      };

  /**
   * A node, as the node that answers knows it.
   *
   * @param id its identity in the log
   * @param address host and port for other nodes
   * @param clientAddress the address for clients; empty if unknown
   * @param version its version; null if it has not answered
   * @param self whether it is the node that answers
   * @param leading whether it leads
   * @param reachable whether it has answered lately
   * @param appliedIndex the last entry that it has applied
   * @param lagEntries how many committed entries it has not applied
   * @param lagMs how much older its last applied command is than that of the node that answers
   * @param answerAgeMs how old this is
   */
  record Node(
      String name,
      String id,
      String address,
      String clientAddress,
      @Nullable String version,
      boolean self,
      boolean leading,
      boolean reachable,
      long appliedIndex,
      long lagEntries,
      long lagMs,
      long dataBytes,
      long logBytes,
      long freeBytes,
      long answerAgeMs) {}

  /**
   * The state of the cluster.
   *
   * @param leader the name of the leader; null if there is none
   * @param committedIndex the last entry that this node knows to be committed
   * @param leaderChanges how often this node has seen the leader change
   * @param unready why this node should get no calls; null if it should
   */
  record Status(
      @Nullable String leader,
      long term,
      long committedIndex,
      long leaderChanges,
      @Nullable String unready,
      List<Node> nodes) {}

  /**
   * An operation on the members.
   *
   * @param node the name of a node; null for an added one and a snapshot
   * @param address where the new node is reached, if there is one
   */
  record Change(Kind kind, @Nullable String node, @Nullable String address) {
    /** The operations. */
    public enum Kind {
      ADD,
      REMOVE,
      REPLACE,
      TRANSFER,
      SNAPSHOT
    }
  }

  Result<Status> status();

  /** Changes the members, and waits until it is done. */
  Result<Status> change(Change change);

  /** Why this node should get no calls; null if it should. */
  @Nullable String unready();

  /** The cluster of a broker. */
  static Cluster of(Broker broker) {
    return broker instanceof Cluster cluster ? cluster : NONE;
  }
}
