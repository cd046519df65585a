package io.holdfast.cluster.raft;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;

/** Members as Ratis has them. */
final class Peers {
  private Peers() {}

  static RaftPeer of(Member member) {
    return RaftPeer.newBuilder()
        .setId(member.id())
        .setAddress(member.address())
        .setClientAddress(member.clientAddress())
        .build();
  }

  static Member member(RaftPeer peer) {
    return new Member(
        peer.getId().toString(),
        Objects.requireNonNullElse(peer.getAddress(), ""),
        Objects.requireNonNullElse(peer.getClientAddress(), ""));
  }

  static Member member(RaftPeerProto peer) {
    return new Member(peer.getId().toStringUtf8(), peer.getAddress(), peer.getClientAddress());
  }

  static RaftGroup group(UUID cluster, List<Member> members) {
    return RaftGroup.valueOf(
        RaftGroupId.valueOf(cluster), members.stream().map(Peers::of).toArray(RaftPeer[]::new));
  }
}
