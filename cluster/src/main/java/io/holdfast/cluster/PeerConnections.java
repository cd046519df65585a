package io.holdfast.cluster;

import io.holdfast.cluster.peer.PeerConnection;
import io.holdfast.cluster.raft.Member;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.jspecify.annotations.Nullable;

/**
 * The connections to the other nodes, by their addresses.
 *
 * <p>Thread: any.
 */
final class PeerConnections implements AutoCloseable {
  private final Function<String, ManagedChannel> channels;
  private final Map<String, PeerConnection> connections = new ConcurrentHashMap<>();

  /**
   * @param channels makes a channel to an address
   */
  PeerConnections(Function<String, ManagedChannel> channels) {
    this.channels = channels;
  }

  PeerConnection to(Member member) {
    return to(member.address());
  }

  PeerConnection to(String address) {
    return connections.computeIfAbsent(
        address, key -> new PeerConnection(key, channels.apply(key)));
  }

  /** A connection for one question, which the caller closes. */
  PeerConnection once(String address) {
    return new PeerConnection(address, channels.apply(address));
  }

  /** Gives up the calls to all nodes but the one that leads. */
  void leaveAllBut(@Nullable Member leader) {
    connections.forEach(
        (address, connection) -> {
          if (leader == null || !address.equals(leader.address())) {
            connection.abort("it does not lead the cluster any more");
          }
        });
  }

  /** Gives up the calls to nodes that have been silent for too long, and looks for silent ones. */
  void check() {
    connections.values().forEach(PeerConnection::check);
  }

  @Override
  public void close() {
    connections.values().forEach(PeerConnection::close);
  }
}
