package io.holdfast.cluster.raft;

import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/**
 * Who leads, as Ratis knows it.
 *
 * @param followers the other members, if this node leads
 */
record LogStatus(boolean leading, @Nullable Member leader, List<FollowerStatus> followers) {
  static LogStatus of(RaftServer.Division division) {
    DivisionInfo info = division.getInfo();
    boolean leading = info.isLeader() && info.isAlive();
    return new LogStatus(
        leading, leader(division), leading ? followers(division, info) : List.of());
  }

  static @Nullable Member leader(RaftServer.Division division) {
    RaftPeerId leader = division.getInfo().getLeaderId();
    return leader == null ? null : member(division.getRaftConf(), leader);
  }

  static @Nullable Member member(RaftConfiguration members, RaftPeerId id) {
    RaftPeer peer = members.getPeer(id);
    return peer == null ? null : Peers.member(peer);
  }

  private static List<FollowerStatus> followers(RaftServer.Division division, DivisionInfo info) {
    List<ServerRpcProto> answers = info.getRoleInfoProto().getLeaderInfo().getFollowerInfoList();
    long[] matches = info.getFollowerMatchIndices();
    List<FollowerStatus> followers = new ArrayList<>();
    // Both are read one after the other: a member may have come or gone.
    for (int i = 0; matches != null && i < matches.length && i < answers.size(); i++) {
      ServerRpcProto answer = answers.get(i);
      RaftPeerId id = RaftPeerId.valueOf(answer.getId().getId());
      Member known = member(division.getRaftConf(), id);
      followers.add(
          new FollowerStatus(
              known == null ? Peers.member(answer.getId()) : known,
              matches[i],
              answer.getLastRpcElapsedTimeMs()));
    }
    return followers;
  }
}
