package io.holdfast.server;

import java.time.Duration;

/**
 * What a server is started with.
 *
 * @param port 0 for any that is free
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
        32 * MIB,
        16 * 1024,
        20_000,
        Duration.ofSeconds(30),
        Duration.ofMinutes(11),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10));
  }

  public ServerConfig port(int number) {
    return new ServerConfig(
        host,
        number,
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
        bodyBytesMax,
        headerBytesMax,
        connectionsMax,
        readTimeout,
        time,
        look,
        drainTimeout);
  }
}
