package io.holdfast.cluster.raft;

import io.holdfast.cluster.security.NodeSecurity;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.thirdparty.io.grpc.netty.NegotiationType;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/** Connections between nodes, with the security of the cluster. */
final class NodeChannels {
  private final @Nullable GrpcTlsConfig tls;
  private final @Nullable SslContext context;

  NodeChannels(NodeSecurity security) {
    this.tls = security.tls();
    this.context = tls == null ? null : GrpcUtil.buildSslContextForClient(tls);
  }

  /** A channel to the services of a node. */
  NettyChannelBuilder to(String address) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forTarget(address).maxInboundMessageSize(RaftSettings.MESSAGE_BYTES);
    return context == null
        ? builder.negotiationType(NegotiationType.PLAINTEXT)
        : builder.negotiationType(NegotiationType.TLS).sslContext(context);
  }

  /** What Ratis needs besides its settings. */
  Parameters parameters(NodeServices services) {
    Parameters parameters = new Parameters();
    GrpcConfigKeys.Server.setServicesCustomizer(parameters, services);
    if (tls != null) {
      GrpcConfigKeys.TLS.setConf(parameters, tls);
    }
    return parameters;
  }
}
