package io.holdfast.cluster.security;

import java.nio.file.Path;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.jspecify.annotations.Nullable;

/** How the nodes of a cluster prove to each other who they are. */
public interface NodeSecurity extends AutoCloseable {
  /** No encryption and no proof: for nodes on one machine. */
  static NodeSecurity none() {
    return new NoSecurity();
  }

  /**
   * Encryption and proof by a secret that all nodes of the cluster know.
   *
   * @param node the name of this node
   * @throws IllegalArgumentException if the secret is too short
   */
  static NodeSecurity ofSecret(String secret, String node) {
    return new SecretSecurity(secret, node);
  }

  /**
   * Mutual TLS with keys from PEM files, which are read again when they change.
   *
   * @param certificate the certificate of this node, followed by intermediate ones
   * @param key its private key
   * @param authorities the certificates that those of the other nodes must be signed by
   * @throws IllegalArgumentException if a file cannot be used
   */
  static NodeSecurity ofFiles(Path certificate, Path key, Path authorities) {
    return new FileSecurity(certificate, key, authorities);
  }

  /** The settings for Ratis; null without TLS. */
  @Nullable GrpcTlsConfig tls();

  @Override
  void close();
}
