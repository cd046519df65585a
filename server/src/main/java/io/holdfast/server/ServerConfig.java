package io.holdfast.server;

import io.holdfast.server.http.Patience;
import io.holdfast.server.http.TrustedProxies;
import io.holdfast.server.tls.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a server is started with.
 *
 * @param port 0 for any that is free
 * @param tokens the file of the tokens that callers must show; null to let in everybody
 * @param tls what it proves itself with; null to speak in the clear
 * @param bodyBytesMax largest body of a request
 * @param headerBytesMax all headers of a request together
 * @param headersMax most headers of a request
 * @param connectionsMax most connections at once; parked polls hold one each
 * @param connectionsPerAddressMax most connections at once from one address; this machine and
 *     trusted proxies may have more
 * @param patience how long it waits for clients
 * @param drainTimeout how long running calls may take after the server is told to stop
 * @param trustedProxies the proxies whose headers about their clients are believed
 */
public record ServerConfig(
    String host,
    int port,
    @Nullable Path tokens,
    @Nullable TlsFiles tls,
    int bodyBytesMax,
    int headerBytesMax,
    int headersMax,
    int connectionsMax,
    int connectionsPerAddressMax,
    Patience patience,
    Duration drainTimeout,
    TrustedProxies trustedProxies) {
  public static final int PORT = 6632;
  public static final String HOST = "127.0.0.1";
  private static final int MIB = 1024 * 1024;

  public static ServerConfig defaults() {
    return new ServerConfig(
        HOST,
        PORT,
        null,
        null,
        24 * MIB,
        16 * 1024,
        100,
        20_000,
        5_000,
        Patience.usual(),
        Duration.ofSeconds(10),
        TrustedProxies.NONE);
  }

  public ServerConfig host(String name) {
    return new ServerConfig(
        name,
        port,
        tokens,
        tls,
        bodyBytesMax,
        headerBytesMax,
        headersMax,
        connectionsMax,
        connectionsPerAddressMax,
        patience,
        drainTimeout,
        trustedProxies);
  }

  public ServerConfig port(int number) {
    return new ServerConfig(
        host,
        number,
        tokens,
        tls,
        bodyBytesMax,
        headerBytesMax,
        headersMax,
        connectionsMax,
        connectionsPerAddressMax,
        patience,
        drainTimeout,
        trustedProxies);
  }

  public ServerConfig tokens(Path file) {
    return new ServerConfig(
        host,
        port,
        file,
        tls,
        bodyBytesMax,
        headerBytesMax,
        headersMax,
        connectionsMax,
        connectionsPerAddressMax,
        patience,
        drainTimeout,
        trustedProxies);
  }

  public ServerConfig tls(TlsFiles files) {
    return new ServerConfig(
        host,
        port,
        tokens,
        files,
        bodyBytesMax,
        headerBytesMax,
        headersMax,
        connectionsMax,
        connectionsPerAddressMax,
        patience,
        drainTimeout,
        trustedProxies);
  }

  public ServerConfig bodyBytesMax(int bytes) {
    return new ServerConfig(
        host,
        port,
        tokens,
        tls,
        bytes,
        headerBytesMax,
        headersMax,
        connectionsMax,
        connectionsPerAddressMax,
        patience,
        drainTimeout,
        trustedProxies);
  }

  public ServerConfig connectionsMax(int count) {
    return new ServerConfig(
        host,
        port,
        tokens,
        tls,
        bodyBytesMax,
        headerBytesMax,
        headersMax,
        count,
        connectionsPerAddressMax,
        patience,
        drainTimeout,
        trustedProxies);
  }

  public ServerConfig connectionsPerAddressMax(int count) {
    return new ServerConfig(
        host,
        port,
        tokens,
        tls,
        bodyBytesMax,
        headerBytesMax,
        headersMax,
        connectionsMax,
        count,
        patience,
        drainTimeout,
        trustedProxies);
  }

  public ServerConfig patience(Patience other) {
    return new ServerConfig(
        host,
        port,
        tokens,
        tls,
        bodyBytesMax,
        headerBytesMax,
        headersMax,
        connectionsMax,
        connectionsPerAddressMax,
        other,
        drainTimeout,
        trustedProxies);
  }

  public ServerConfig trustedProxies(TrustedProxies proxies) {
    return new ServerConfig(
        host,
        port,
        tokens,
        tls,
        bodyBytesMax,
        headerBytesMax,
        headersMax,
        connectionsMax,
        connectionsPerAddressMax,
        patience,
        drainTimeout,
        proxies);
  }

  /** The same for clients that pause within a request. */
  public ServerConfig readTimeout(Duration time) {
    return patience(patience.pause(time));
  }

  /** The same for connections that rest, which are looked for this often. */
  public ServerConfig idleTimeout(Duration time, Duration look) {
    return patience(patience.rest(time, look));
  }
}
