package io.holdfast.cluster.security;

import javax.net.ssl.TrustManager;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;

/**
 * Mutual TLS by a secret that all nodes know: each makes a certificate for itself at start, and
 * nobody needs files.
 */
final class SecretSecurity implements NodeSecurity {
  private final GrpcTlsConfig tls;

  SecretSecurity(String secret, String node) {
    SecretAuthority authority = new SecretAuthority(secret);
    CurrentKeys.Generation only = new CurrentKeys.Generation(0, authority.issue(node), null);
    this.tls = tls(new CurrentKeys(() -> only), new SecretTrust(authority.publicKey()));
  }

  /** Both sides must prove themselves. */
  static GrpcTlsConfig tls(CurrentKeys keys, TrustManager trust) {
    return GrpcTlsConfig.newBuilder()
        .setKeyManager(keys)
        .setTrustManager(trust)
        .setMutualTls(true)
        .setSslProvider(SslProvider.JDK)
        .setProtocols("TLSv1.3")
        .build();
  }

  @Override
  public GrpcTlsConfig tls() {
    return tls;
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
