package io.holdfast.server;

import io.holdfast.server.http.Patience;
import io.holdfast.server.http.TrustedProxies;
import io.holdfast.server.tls.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a server is started with.
 *
 * <p>Invariant: immutable; each method that sets something returns another one.
 */
public final class ServerConfig implements Cloneable {
  public static final int PORT = 6632;
  public static final String HOST = "127.0.0.1";
  private static final int MIB = 1024 * 1024;

  private String host = HOST;
  private int port = PORT;
  private @Nullable Path tokens;
  private @Nullable TlsFiles tls;
  private int bodyBytesMax = 24 * MIB;
  private int connectionsMax = 20_000;
  private int connectionsPerAddressMax = 5_000;
  private Patience patience = Patience.usual();
  private Duration drainTimeout = Duration.ofSeconds(10);
  private TrustedProxies trustedProxies = TrustedProxies.NONE;

  private ServerConfig() {}

  public static ServerConfig defaults() {
    return new ServerConfig();
  }

  private ServerConfig with(Consumer<ServerConfig> change) {
    try {
      ServerConfig changed = (ServerConfig) clone();
      change.accept(changed);
      return changed;
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The name or address to listen on. */
  public String host() {
    return host;
  }

  public ServerConfig host(String value) {
    return with(config -> config.host = value);
  }

  /** The port; 0 for any that is free. */
  public int port() {
    return port;
  }

  public ServerConfig port(int value) {
    return with(config -> config.port = value);
  }

  /** The file of the tokens that callers must show; null to let in everybody. */
  public @Nullable Path tokens() {
    return tokens;
  }

  public ServerConfig tokens(Path value) {
    return with(config -> config.tokens = value);
  }

  /** The files of its certificate; null to speak in the clear. */
  public @Nullable TlsFiles tls() {
    return tls;
  }

  public ServerConfig tls(TlsFiles value) {
    return with(config -> config.tls = value);
  }

  /** The largest body of a request. */
  public int bodyBytesMax() {
    return bodyBytesMax;
  }

  public ServerConfig bodyBytesMax(int value) {
    return with(config -> config.bodyBytesMax = value);
  }

  /** Most connections at once; parked polls hold one each. */
  public int connectionsMax() {
    return connectionsMax;
  }

  public ServerConfig connectionsMax(int value) {
    return with(config -> config.connectionsMax = value);
  }

  /** Most connections at once from one address; this machine and trusted proxies may have more. */
  public int connectionsPerAddressMax() {
    return connectionsPerAddressMax;
  }

  public ServerConfig connectionsPerAddressMax(int value) {
    return with(config -> config.connectionsPerAddressMax = value);
  }

  /** How long it waits for clients. */
  public Patience patience() {
    return patience;
  }

  public ServerConfig patience(Patience value) {
    return with(config -> config.patience = value);
  }

  /** How long running calls may take after the server is told to stop. */
  public Duration drainTimeout() {
    return drainTimeout;
  }

  public ServerConfig drainTimeout(Duration value) {
    return with(config -> config.drainTimeout = value);
  }

  /** The proxies whose headers about their clients are believed. */
  public TrustedProxies trustedProxies() {
    return trustedProxies;
  }

  public ServerConfig trustedProxies(TrustedProxies value) {
    return with(config -> config.trustedProxies = value);
  }
}
