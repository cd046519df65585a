package io.holdfast.cli.serve;

import io.holdfast.cli.options.Bounds;
import io.holdfast.server.ServerConfig;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options of {@code serve} for the HTTP server. */
final class ListenOptions {
  private static final int SECONDS_MAX = 24 * 3600;
  private static final int BODY_BYTES_MAX = 1 << 30;

  @Option(
      names = "--host",
      paramLabel = "<host>",
      defaultValue = ServerConfig.HOST,
      description = "Address to listen on (default: ${DEFAULT-VALUE}). HOLDFAST_HOST")
  private String host;

  @Option(
      names = "--port",
      paramLabel = "<port>",
      defaultValue = "" + ServerConfig.PORT,
      description =
          "Port to listen on, 0 for any free port" + " (default: ${DEFAULT-VALUE}). HOLDFAST_PORT")
  private int port;

  @Option(
      names = "--body-max",
      paramLabel = "<bytes>",
      defaultValue = "24MiB",
      converter = ByteSizeConverter.class,
      description = "Maximum size of a request body (default: ${DEFAULT-VALUE}). HOLDFAST_BODY_MAX")
  private long bodyMax;

  @Option(
      names = "--connections-max",
      paramLabel = "<n>",
      defaultValue = "20000",
      description =
          "Maximum number of connections; a long poll occupies one"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_CONNECTIONS_MAX")
  private int connectionsMax;

  @Option(
      names = "--connections-per-address-max",
      paramLabel = "<n>",
      defaultValue = "5000",
      description =
          "Maximum number of connections per address; loopback and trusted proxies are exempt"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_CONNECTIONS_PER_ADDRESS_MAX")
  private int connectionsPerAddressMax;

  @Option(
      names = "--read-timeout",
      paramLabel = "<seconds>",
      defaultValue = "30",
      description =
          "Time for which a request body may stall or be slower than 1 KiB/s"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_READ_TIMEOUT")
  private int readTimeout;

  @Option(
      names = "--head-timeout",
      paramLabel = "<seconds>",
      defaultValue = "10",
      description =
          "Time limit for the request line and headers"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_HEAD_TIMEOUT")
  private int headTimeout;

  @Option(
      names = "--write-timeout",
      paramLabel = "<seconds>",
      defaultValue = "15",
      description =
          "Time for which a response may stall because the client does not read"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_WRITE_TIMEOUT")
  private int writeTimeout;

  @Option(
      names = "--drain-timeout",
      paramLabel = "<seconds>",
      defaultValue = "10",
      description =
          "Time limit for running requests after the stop signal"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_DRAIN_TIMEOUT")
  private int drainTimeout;

  String host() {
    return host;
  }

  int port() {
    return port;
  }

  /**
   * The configuration of the server.
   *
   * @throws IllegalArgumentException naming an option that is out of bounds
   */
  ServerConfig config() {
    ServerConfig defaults = ServerConfig.defaults();
    return defaults
        .host(host)
        .port(Bounds.check("--port", port, 0, 65_535))
        .bodyBytesMax(
            HeapLimits.ofThisProcess()
                .bodyBytes(Bounds.check("--body-max", bodyMax, 1, BODY_BYTES_MAX)))
        .connectionsMax(Bounds.check("--connections-max", connectionsMax, 1, Integer.MAX_VALUE))
        .connectionsPerAddressMax(
            Bounds.check(
                "--connections-per-address-max", connectionsPerAddressMax, 1, Integer.MAX_VALUE))
        .patience(
            defaults
                .patience()
                .pause(seconds("--read-timeout", readTimeout, 1))
                .headAndUnread(
                    seconds("--head-timeout", headTimeout, 1),
                    seconds("--write-timeout", writeTimeout, 1)))
        .drainTimeout(seconds("--drain-timeout", drainTimeout, 0));
  }

  private static Duration seconds(String option, int value, int min) {
    return Duration.ofSeconds(Bounds.check(option, value, min, SECONDS_MAX));
  }
}
