package io.holdfast.cluster.raft;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftClientProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.io.grpc.BindableService;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The services on the port of the log: that of Ratis for the other nodes, and those of this
 * project. The services of Ratis for clients and administration are closed: the calls of this
 * process do not go through the network, and nobody else may change entries or members.
 */
final class NodeServices implements GrpcServices.Customizer {
  private static final Set<String> CLOSED =
      Set.of(AdminProtocolServiceGrpc.SERVICE_NAME, RaftClientProtocolServiceGrpc.SERVICE_NAME);

  private static final String VOTE =
      RaftServerProtocolServiceGrpc.getRequestVoteMethod().getFullMethodName();

  private final List<BindableService> services;
  private final EntryStateMachine machine;
  private final RaftPeerId self;

  /**
   * @param self the identity of this node in the log
   */
  NodeServices(List<BindableService> services, EntryStateMachine machine, RaftPeerId self) {
    this.services = services;
    this.machine = machine;
    this.self = self;
  }

  @Override
  public NettyServerBuilder customize(
      NettyServerBuilder builder, EnumSet<GrpcServices.Type> types) {
    services.forEach(builder::addService);
    return builder.intercept(new Gate());
  }

  private final class Gate implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      String service = call.getMethodDescriptor().getServiceName();
      if (service != null && CLOSED.contains(service)) {
        call.close(
            Status.PERMISSION_DENIED.withDescription("This service is closed."), new Metadata());
        return new ServerCall.Listener<>() {};
      }
      boolean votes = call.getMethodDescriptor().getFullMethodName().equals(VOTE);
      return new OwnRequests<>(call, next.startCall(votes ? new VoteCall<>(call) : call, headers));
    }
  }

  /**
   * Passes on only requests for this identity. A node that has lost its data has another one and
   * the same address: with an empty log it must not vote, and store nothing, for the identity
   * before.
   */
  private final class OwnRequests<Q, R> extends SimpleForwardingServerCallListener<Q> {
    private final ServerCall<Q, R> call;
    private boolean refused;

    OwnRequests(ServerCall<Q, R> call, ServerCall.Listener<Q> next) {
      super(next);
      this.call = call;
    }

    @Override
    public void onMessage(Q message) {
      RaftRpcRequestProto request = request(message);
      if (refused) {
        return;
      }
      if (request == null || request.getReplyId().equals(self.toByteString())) {
        super.onMessage(message);
        return;
      }
      refused = true;
      call.close(
          Status.NOT_FOUND.withDescription("This is the node " + self + "."), new Metadata());
    }

    @Override
    public void onHalfClose() {
      if (!refused) {
        super.onHalfClose();
      }
    }
  }

  /** Who sends a request of Ratis to whom; null for the calls of this project. */
  private static @Nullable RaftRpcRequestProto request(Object message) {
    return switch (message) {
      case RequestVoteRequestProto vote -> vote.getServerRequest();
      case AppendEntriesRequestProto append -> append.getServerRequest();
      case InstallSnapshotRequestProto install -> install.getServerRequest();
      case StartLeaderElectionRequestProto elect -> elect.getServerRequest();
      case ReadIndexRequestProto read -> read.getServerRequest();
      default -> null;
    };
  }

  /** Sends a vote only when the name of the file with it is synced. */
  private final class VoteCall<Q, R> extends SimpleForwardingServerCall<Q, R> {
    VoteCall(ServerCall<Q, R> call) {
      super(call);
    }

    @Override
    public void sendMessage(R vote) {
      try {
        machine.syncDirectory();
      } catch (IOException failed) {
        machine.notifyLogFailed(failed, null);
        throw Status.INTERNAL.withCause(failed).asRuntimeException();
      }
      super.sendMessage(vote);
    }
  }
}
