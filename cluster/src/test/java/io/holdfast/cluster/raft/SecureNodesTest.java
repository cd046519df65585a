package io.holdfast.cluster.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.cluster.security.NodeSecurity;
import io.holdfast.testkit.WaitLimits;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.GroupListRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftClientRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftClientProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may talk to the nodes. */
@Timeout(WaitLimits.TEST_SECONDS)
class SecureNodesTest {
  private static final String SECRET = "correct horse battery staple";

  @TempDir Path temp;

  /** Each test makes its own. */
  @SuppressWarnings("NullAway.Init")
  private TestNodes nodes;

  @AfterEach
  void close() {
    if (nodes != null) {
      nodes.close();
    }
  }

  private void start(int count) {
    nodes = new TestNodes(temp, count);
    nodes.inMemory = true;
    for (int i = 1; i <= count; i++) {
      String name = "n" + i;
      nodes.start(nodes.config(name), List.of(), NodeSecurity.ofSecret(SECRET, name));
    }
  }

  @Test
  void shouldTalkWithTheSecretAndToNobodyWithout() throws Exception {
    // given
    start(3);
    nodes.awaitLeader().push("a").orThrow();
    nodes.awaitEqual();
    Member target = nodes.awaitLeader().node.self();

    // then: the secret opens the port, another or none does not
    assertThat(vote(NodeSecurity.ofSecret(SECRET, "n9"), target)).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(vote(NodeSecurity.ofSecret(SECRET + "!", "n1"), target))
        .isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(vote(NodeSecurity.none(), target)).isEqualTo(Status.Code.UNAVAILABLE);
  }

  /** Asks a node for a vote in a cluster that it does not belong to. */
  private static Status.Code vote(NodeSecurity security, Member target)
      throws InterruptedException {
    ManagedChannel channel = new NodeChannels(security).to(target.address()).build();
    try {
      RaftServerProtocolServiceGrpc.newBlockingStub(channel)
          .withDeadlineAfter(20, TimeUnit.SECONDS)
          .requestVote(RequestVoteRequestProto.getDefaultInstance());
      return Status.Code.OK;
    } catch (StatusRuntimeException refused) {
      return refused.getStatus().getCode();
    } finally {
      channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void shouldCloseTheServicesOfRatisForClientsAndAdministration() throws Exception {
    // given
    start(1);
    TestNodes.Running node = nodes.awaitLeader();
    ManagedChannel channel =
        new NodeChannels(NodeSecurity.ofSecret(SECRET, "n9"))
            .to(node.node.self().address())
            .build();

    // then
    assertThatThrownBy(
            () ->
                AdminProtocolServiceGrpc.newBlockingStub(channel)
                    .groupList(GroupListRequestProto.getDefaultInstance()))
        .hasMessageContaining("PERMISSION_DENIED");
    assertThat(clientCall(channel)).isEqualTo(Status.Code.PERMISSION_DENIED);
    channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
  }

  @Test
  void shouldNotVoteForTheIdentityThatItsAddressHadBefore() throws Exception {
    // given
    start(1);
    TestNodes.Running node = nodes.awaitLeader();
    ManagedChannel channel =
        new NodeChannels(NodeSecurity.ofSecret(SECRET, "n9"))
            .to(node.node.self().address())
            .build();
    RequestVoteRequestProto vote =
        RequestVoteRequestProto.newBuilder()
            .setServerRequest(
                RaftRpcRequestProto.newBuilder()
                    .setReplyId(RaftPeerId.valueOf("n1~before").toByteString()))
            .build();

    // then
    assertThatThrownBy(
            () -> RaftServerProtocolServiceGrpc.newBlockingStub(channel).requestVote(vote))
        .hasMessageContaining("NOT_FOUND: This is the node " + node.node.self().id());
    channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
  }

  private static Status.Code clientCall(ManagedChannel channel) {
    Status.Code[] code = new Status.Code[1];
    RaftClientProtocolServiceGrpc.newStub(channel)
        .ordered(
            new StreamObserver<>() {
              @Override
              public void onNext(org.apache.ratis.proto.RaftProtos.RaftClientReplyProto reply) {
                code[0] = Status.Code.OK;
              }

              @Override
              public void onError(Throwable failure) {
                code[0] = Status.fromThrowable(failure).getCode();
              }

              @Override
              public void onCompleted() {
                code[0] = Status.Code.OK;
              }
            })
        .onNext(RaftClientRequestProto.getDefaultInstance());
    await().until(() -> code[0] != null);
    return code[0];
  }

  @Test
  void shouldRefuseAnOpenAddressWithoutProof() {
    // given
    nodes = new TestNodes(temp, 1);
    RaftConfig config = nodes.config("n1");
    RaftConfig open =
        new RaftConfig(
            "n1",
            config.directory(),
            config.nodes(),
            "0.0.0.0",
            "",
            false,
            false,
            config.times(),
            config.limits());
    RaftConfig insecure =
        new RaftConfig(
            "n1",
            config.directory(),
            config.nodes(),
            "0.0.0.0",
            "",
            false,
            true,
            config.times(),
            config.limits());

    // then
    assertThatThrownBy(() -> RaftNode.open(open, NodeSecurity.none()))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("0.0.0.0")
        .hasMessageContaining("--insecure");
    RaftNode.open(open, NodeSecurity.ofSecret(SECRET, "n1")).close();
    RaftNode.open(insecure, NodeSecurity.none()).close();
  }

  @Test
  void shouldRefuseAShortSecret() {
    assertThatThrownBy(() -> NodeSecurity.ofSecret("short", "n1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least 16 characters");
  }
}
