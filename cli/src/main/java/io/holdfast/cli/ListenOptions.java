package io.holdfast.cli;

import io.holdfast.server.ServerConfig;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options of {@code serve} that are the HTTP server's. */
final class ListenOptions {
  private static final int SECONDS_MAX = 24 * 3600;
  private static final int BODY_BYTES_MAX = 1 << 30;

  @Option(
      names = "--host",
      paramLabel = "<host>",
      defaultValue = ServerConfig.HOST,
      description = "The address to listen on (default: ${DEFAULT-VALUE}). HOLDFAST_HOST")
  private String host;

  @Option(
      names = "--port",
      paramLabel = "<port>",
      defaultValue = "" + ServerConfig.PORT,
      description =
          "The port to listen on, 0 for any that is free"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_PORT")
  private int port;

  @Option(
      names = "--body-max",
      paramLabel = "<bytes>",
      defaultValue = "24MiB",
      converter = ByteSize.class,
      description = "The largest body of a request (default: ${DEFAULT-VALUE}). HOLDFAST_BODY_MAX")
  private long bodyMax;

  @Option(
      names = "--connections-max",
      paramLabel = "<n>",
      defaultValue = "20000",
      description =
          "Most connections at once; a call that waits holds one"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_CONNECTIONS_MAX")
  private int connectionsMax;

  @Option(
      names = "--connections-per-address-max",
      paramLabel = "<n>",
      defaultValue = "5000",
      description =
          "Most connections at once from one address; this machine and trusted proxies may have more"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_CONNECTIONS_PER_ADDRESS_MAX")
  private int connectionsPerAddressMax;

  @Option(
      names = "--read-timeout",
      paramLabel = "<seconds>",
      defaultValue = "30",
      description =
          "How long a body may stand still, or come slower than 1 KiB a second"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_READ_TIMEOUT")
  private int readTimeout;

  @Option(
      names = "--head-timeout",
      paramLabel = "<seconds>",
      defaultValue = "10",
      description =
          "How long the first line and the headers of a request may take"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_HEAD_TIMEOUT")
  private int headTimeout;

  @Option(
      names = "--write-timeout",
      paramLabel = "<seconds>",
      defaultValue = "15",
      description =
          "How long an answer may stand still because nobody reads it"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_WRITE_TIMEOUT")
  private int writeTimeout;

  @Option(
      names = "--drain-timeout",
      paramLabel = "<seconds>",
      defaultValue = "10",
      description =
          "How long running calls may take after the signal to stop"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_DRAIN_TIMEOUT")
  private int drainTimeout;

  String host() {
    return host;
  }

  int port() {
    return port;
  }

  /**
   * The set-up of the server.
   *
   * @throws IllegalArgumentException naming what is out of bounds
   */
  ServerConfig config() {
    ServerConfig defaults = ServerConfig.defaults();
    return new ServerConfig(
        host,
        ServeCommand.within("--port", port, 0, 65_535),
        null,
        null,
        HeapShare.ofThisProcess()
            .bodyBytes(ServeCommand.within("--body-max", bodyMax, 1, BODY_BYTES_MAX)),
        defaults.headerBytesMax(),
        defaults.headersMax(),
        ServeCommand.within("--connections-max", connectionsMax, 1, Integer.MAX_VALUE),
        ServeCommand.within(
            "--connections-per-address-max", connectionsPerAddressMax, 1, Integer.MAX_VALUE),
        defaults
            .patience()
            .pause(seconds("--read-timeout", readTimeout, 1))
            .headAndUnread(
                seconds("--head-timeout", headTimeout, 1),
                seconds("--write-timeout", writeTimeout, 1)),
        seconds("--drain-timeout", drainTimeout, 0),
        defaults.trustedProxies());
  }

  private static Duration seconds(String option, int value, int min) {
    return Duration.ofSeconds(ServeCommand.within(option, value, min, SECONDS_MAX));
  }
}
