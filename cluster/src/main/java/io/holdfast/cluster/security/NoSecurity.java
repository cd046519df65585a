package io.holdfast.cluster.security;

import org.apache.ratis.grpc.GrpcTlsConfig;
import org.jspecify.annotations.Nullable;

/** Neither encryption nor proof. */
record NoSecurity() implements NodeSecurity {
  @Override
  public @Nullable GrpcTlsConfig tls() {
    return null;
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
