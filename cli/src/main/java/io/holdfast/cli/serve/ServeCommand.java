package io.holdfast.cli.serve;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.cli.output.ErrorText;
import io.holdfast.cli.output.ExitCodes;
import io.holdfast.cluster.ClusterNode;
import io.holdfast.cluster.raft.ClusterException;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.engine.seal.KeyFileException;
import io.holdfast.engine.store.StoreException;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.access.TokensException;
import io.holdfast.server.status.Version;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code serve} command: runs a broker with an HTTP server until it is stopped by a signal. */
@Command(
    name = "serve",
    description = {
      "Start a broker with an HTTP server.",
      "Each option can also be set by the environment variable named at its end. HOLDFAST_LOG_LEVEL"
          + " (default: INFO) sets the log level.",
      "SIGTERM or Ctrl-C finishes running requests, closes the data and exits with 0, or with 1 if"
          + " the broker had failed or its data could not be closed."
    },
    sortOptions = false,
    defaultValueProvider = EnvironmentDefaults.class,
    footer = {"  holdfast serve", "  holdfast serve --port 7000 --data /var/lib/holdfast"})
public final class ServeCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private ListenOptions listen;
  @Mixin private SecurityOptions secure;
  @Mixin private BrokerOptions brokerOptions;
  @Mixin private ClusterOptions clusterOptions;

  @Override
  public Integer call() throws InterruptedException {
    ServerConfig serverConfig;
    EngineConfig engineConfig;
    try {
      serverConfig = secure.secured(listen.config());
      engineConfig = brokerOptions.config();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), asOption(String.valueOf(e.getMessage())), e);
    }
    InetAddress address;
    try {
      address = InetAddress.getByName(listen.host());
    } catch (UnknownHostException unknown) {
      return fail(ExitCodes.REFUSED, "unknown host: " + listen.host());
    }
    String refusal = secure.refusal(address, listen.host());
    if (refusal != null) {
      return fail(ExitCodes.USAGE, refusal);
    }
    String warning = secure.warning(address);
    return serve(serverConfig, engineConfig, address, warning);
  }

  private int serve(
      ServerConfig serverConfig,
      EngineConfig engineConfig,
      InetAddress address,
      @Nullable String warning)
      throws InterruptedException {
    // Renegotiation costs CPU and no client needs it.
    System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    Opened opened;
    try {
      EngineConfig withKeys = engineConfig.keys(brokerOptions.keys());
      opened = clusterOptions.isNode() ? openNode(withKeys) : openBroker(withKeys);
    } catch (StoreException | KeyFileException | ClusterException unopened) {
      return fail(ExitCodes.REFUSED, String.valueOf(unopened.getMessage()));
    }
    Broker broker = opened.broker();
    HoldfastServer server;
    try {
      server =
          HoldfastServer.start(
              serverConfig,
              broker,
              TimeSource.SYSTEM,
              AboutServer.of(opened.own(), engineConfig, serverConfig));
    } catch (IllegalStateException | IllegalArgumentException | TokensException unopened) {
      broker.close();
      return fail(ExitCodes.REFUSED, String.valueOf(unopened.getMessage()));
    }
    if (warning != null) {
      LoggerFactory.getLogger("holdfast").warn("{}", warning);
    }
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().unstarted(() -> stop(server, opened.own())));
    greet(server, address);
    new CountDownLatch(1).await();
    return ExitCodes.DONE;
  }

  /**
   * An open broker.
   *
   * @param own the broker of this process
   */
  private record Opened(Broker broker, EmbeddedBroker own) {}

  private Opened openBroker(EngineConfig config) {
    EmbeddedBroker own = EmbeddedBroker.openForServer(config);
    return new Opened(new CheckpointingBroker(own, brokerOptions.checkpoints()), own);
  }

  private Opened openNode(EngineConfig config) {
    ClusterNode node =
        ClusterNode.start(
            clusterOptions.config(
                brokerOptions.data(), config, secure.isInsecure(), Version.text()),
            this::nodeFailed);
    return new Opened(new ClusteredBroker(node, brokerOptions.checkpoints()), node.own());
  }

  /** A node that cannot continue must not answer any more. */
  private void nodeFailed(String reason) {
    fail(ExitCodes.REFUSED, "The node of the cluster has stopped: " + reason);
    Runtime.getRuntime().halt(ExitCodes.REFUSED);
  }

  /** Runs as a shutdown hook; without halt() the exit code would be that of the signal. */
  private void stop(HoldfastServer server, EmbeddedBroker broker) {
    say("Stopping: finishing running requests.");
    int status = ExitCodes.REFUSED;
    try {
      server.close();
      String failure = broker.failure();
      if (failure == null) {
        say("Stopped; the data is closed.");
        status = ExitCodes.DONE;
      } else {
        fail(status, "Stopped after a failure: " + failure);
      }
    } finally {
      Runtime.getRuntime().halt(status);
    }
  }

  private void greet(HoldfastServer server, InetAddress address) {
    String host = listen.host().contains(":") ? "[" + listen.host() + "]" : listen.host();
    String url = (server.isSecure() ? "https://" : "http://") + host + ":" + server.port();
    Path tokens = secure.tokens();
    boolean fsync = brokerOptions.durability() == Durability.FSYNC;
    say("Holdfast listens on " + url);
    say("  data        " + brokerOptions.data());
    say(
        "  durability  "
            + brokerOptions.durability().name().toLowerCase(Locale.ROOT)
            + (fsync
                ? ": acknowledged data survives a power failure"
                : ": acknowledged data survives a crash of the process, not a power failure"));
    say(
        "  access      "
            + (tokens == null
                ? "anyone who can reach the port has full access"
                : "tokens of " + tokens.toAbsolutePath().normalize()));
    String curl =
        tokens == null ? "  curl " : "  curl -H \"Authorization: Bearer $HOLDFAST_TOKEN\" ";
    say("Try it:");
    say(curl + url + "/api/v1/push -d '{\"items\":[{\"queue\":\"hello\",\"payload\":1}]}'");
    say(curl + secure.popHeader(address) + url + "/api/v1/pop/queue/hello");
    say("Stop it with Ctrl-C.");
  }

  private void say(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }

  private int fail(int status, String sentence) {
    CommandLine commandLine = spec.commandLine();
    commandLine.getErr().println(ErrorText.of(sentence));
    commandLine.getErr().flush();
    return status;
  }

  /** Replaces the name of a setting by its option: queuesMax is --queues-max. */
  private String asOption(String message) {
    int colon = message.indexOf(':');
    for (String field :
        List.of(
            message.substring(0, Math.max(0, colon)),
            message.substring(0, Math.max(0, colon)).replace("Bytes", ""))) {
      String option = "--" + field.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
      if (spec.findOption(option) != null) {
        return option + message.substring(colon);
      }
    }
    return message;
  }
}
