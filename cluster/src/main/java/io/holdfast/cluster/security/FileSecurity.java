package io.holdfast.cluster.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mutual TLS with keys from PEM files. Files that have changed count for new connections; those
 * between nodes last long, so a certificate should be renewed well before it ends.
 *
 * <p>Thread: it has one that looks at the files.
 */
final class FileSecurity implements NodeSecurity {
  private static final Logger LOG = LoggerFactory.getLogger(FileSecurity.class);
  private static final Duration LOOK = Duration.ofSeconds(5);

  private final Path certificate;
  private final Path key;
  private final Path authorities;
  private final GrpcTlsConfig tls;
  private final Thread watch;

  private volatile PemKeys keys;
  private volatile CurrentKeys.Generation generation;

  /** The files as they were when they were last read, and at the last look. */
  private List<Object> used;

  private List<Object> seen;
  private String problem = "";

  FileSecurity(Path certificate, Path key, Path authorities) {
    this.certificate = certificate;
    this.key = key;
    this.authorities = authorities;
    this.used = stamp();
    this.seen = used;
    this.keys = PemKeys.read(certificate, key, authorities);
    this.generation = new CurrentKeys.Generation(0, keys.keys(), null);
    this.tls =
        SecretSecurity.tls(new CurrentKeys(() -> generation), new CurrentTrust(() -> keys.trust()));
    this.watch = Thread.ofPlatform().daemon().name("holdfast-node-keys").unstarted(this::watch);
    watch.start();
  }

  private List<Object> stamp() {
    return Stream.of(certificate, key, authorities).map(FileSecurity::stamp).toList();
  }

  private static Object stamp(Path file) {
    try {
      return List.of(Files.getLastModifiedTime(file), Files.size(file), file.toRealPath());
    } catch (IOException missing) {
      return missing.toString();
    }
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(LOOK);
        look();
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads files that have changed since they were read, and not since the last look. */
  synchronized void look() {
    List<Object> now = stamp();
    // Several files are not written at once.
    boolean settled = now.equals(seen);
    seen = now;
    if (!settled || now.equals(used)) {
      return;
    }
    try {
      PemKeys renewed = PemKeys.read(certificate, key, authorities);
      keys = renewed;
      generation = generation.next(renewed.keys());
      used = now;
      problem = "";
      LOG.info(
          "Read the certificate of this node again; it is valid until {}.",
          renewed.keys().chain()[0].getNotAfter().toInstant());
    } catch (IllegalArgumentException unusable) {
      warnOnce(String.valueOf(unusable.getMessage()));
    }
  }

  private void warnOnce(String reason) {
    if (!reason.equals(problem)) {
      problem = reason;
      LOG.error("The new certificate of this node is not used, the old one stays: {}", reason);
    }
  }

  @Override
  public GrpcTlsConfig tls() {
    return tls;
  }

  @Override
  public void close() {
    watch.interrupt();
  }
}
