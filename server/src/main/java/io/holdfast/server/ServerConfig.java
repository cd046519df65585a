package io.holdfast.server;

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
 * @param connectionsMax most connections at once; parked polls hold one each
 * @param idleTimeout how long a connection may be without a request
 * @param idleLook how often idle and slow connections are looked for
 * @param readTimeout how long a client may take between two packets of a request, and until its
 *     first
 * @param drainTimeout how long running calls may take after the server is told to stop
 */
public record ServerConfig(
    String host,
    int port,
    @Nullable Path tokens,
    @Nullable TlsFiles tls,
    int bodyBytesMax,
    int headerBytesMax,
    int connectionsMax,
    Duration readTimeout,
    Duration idleTimeout,
    Duration idleLook,
    Duration drainTimeout) {
  public static final int PORT = 6632;
  public static final String HOST = "127.0.0.1";
  private static final int MIB = 1024 * 1024;

  public static ServerConfig defaults() {
    return new ServerConfig(
        HOST,
        PORT,
        null,
        null,
        32 * MIB,
        16 * 1024,
        20_000,
        Duration.ofSeconds(30),
        Duration.ofMinutes(11),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10));
  }

  public ServerConfig host(String name) {
    return new ServerConfig(
        name,
        port,
        tokens,
        tls,
        bodyBytesMax,
        headerBytesMax,
        connectionsMax,
        readTimeout,
        idleTimeout,
        idleLook,
        drainTimeout);
  }

  public ServerConfig port(int number) {
    return new ServerConfig(
        host,
        number,
        tokens,
        tls,
        bodyBytesMax,
        headerBytesMax,
        connectionsMax,
        readTimeout,
        idleTimeout,
        idleLook,
        drainTimeout);
  }

  public ServerConfig tokens(Path file) {
    return new ServerConfig(
        host,
        port,
        file,
        tls,
        bodyBytesMax,
        headerBytesMax,
        connectionsMax,
        readTimeout,
        idleTimeout,
        idleLook,
        drainTimeout);
  }

  public ServerConfig tls(TlsFiles files) {
    return new ServerConfig(
        host,
        port,
        tokens,
        files,
        bodyBytesMax,
        headerBytesMax,
        connectionsMax,
        readTimeout,
        idleTimeout,
        idleLook,
        drainTimeout);
  }

  public ServerConfig bodyBytesMax(int bytes) {
    return new ServerConfig(
        host,
        port,
        tokens,
        tls,
        bytes,
        headerBytesMax,
        connectionsMax,
        readTimeout,
        idleTimeout,
        idleLook,
        drainTimeout);
  }

  public ServerConfig connectionsMax(int count) {
    return new ServerConfig(
        host,
        port,
        tokens,
        tls,
        bodyBytesMax,
        headerBytesMax,
        count,
        readTimeout,
        idleTimeout,
        idleLook,
        drainTimeout);
  }

  public ServerConfig readTimeout(Duration time) {
    return new ServerConfig(
        host,
        port,
        tokens,
        tls,
        bodyBytesMax,
        headerBytesMax,
        connectionsMax,
        time,
        idleTimeout,
        idleLook,
        drainTimeout);
  }

  public ServerConfig idleTimeout(Duration time, Duration look) {
    return new ServerConfig(
        host,
        port,
        tokens,
        tls,
        bodyBytesMax,
        headerBytesMax,
        connectionsMax,
        readTimeout,
        time,
        look,
        drainTimeout);
  }
}
