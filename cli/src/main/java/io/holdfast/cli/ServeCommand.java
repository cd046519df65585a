package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.engine.seal.KeyFileException;
import io.holdfast.engine.store.StoreException;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.access.TokensException;
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
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code serve} command: a broker behind HTTP, until a signal ends it. */
@Command(
    name = "serve",
    description = "Starts a broker that speaks HTTP.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpWidth = 100,
    defaultValueProvider = EnvironmentDefaults.class,
    footer = {
      "",
      "Each option may be given in the environment instead, under the name at its end.",
      "HOLDFAST_LOG_LEVEL (default: INFO) is how much is logged.",
      "SIGTERM or Ctrl-C answers what is running, closes the data and exits with 0, or with 1",
      "if the broker had stopped or its data could not be closed.",
      "",
      "Examples:",
      "  holdfast serve",
      "  holdfast serve --port 7000 --data /var/lib/holdfast"
    })
final class ServeCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private ListenOptions listen;
  @Mixin private SecureOptions secure;
  @Mixin private BrokerOptions brokerOptions;

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
      return fail(ExitCode.SOFTWARE, "There is no address for the host " + listen.host() + ".");
    }
    String refusal = secure.refusal(address, listen.host());
    if (refusal != null) {
      return fail(ExitCode.USAGE, refusal);
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
    ServerLog.install();
    // Whoever wants another handshake on a connection only wants to keep us busy.
    System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    EmbeddedBroker opened;
    try {
      opened = EmbeddedBroker.openForServer(engineConfig.keys(brokerOptions.keys()));
    } catch (StoreException | KeyFileException unopened) {
      return fail(ExitCode.SOFTWARE, String.valueOf(unopened.getMessage()));
    }
    Broker broker = new OwnedBroker(opened, brokerOptions.checkpoints());
    HoldfastServer server;
    try {
      server =
          HoldfastServer.start(
              serverConfig,
              broker,
              TimeSource.SYSTEM,
              AboutServer.of(opened, engineConfig, serverConfig));
    } catch (IllegalStateException | IllegalArgumentException | TokensException unopened) {
      broker.close();
      return fail(ExitCode.SOFTWARE, String.valueOf(unopened.getMessage()));
    }
    if (warning != null) {
      LoggerFactory.getLogger("holdfast").warn("{}", warning);
    }
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> stop(server, opened)));
    greet(server, address);
    new CountDownLatch(1).await();
    return ExitCode.OK;
  }

  /** Runs when a signal ends the process, which would count as a failure if it were not halted. */
  private void stop(HoldfastServer server, EmbeddedBroker broker) {
    say("Stopping: answering what is running.");
    int status = ExitCode.SOFTWARE;
    try {
      server.close();
      String failure = broker.failure();
      if (failure == null) {
        say("Stopped; the data is closed.");
        status = ExitCode.OK;
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
                ? ": what is acknowledged survives a power cut"
                : ": what is acknowledged survives the death of the process, not a power cut"));
    say(
        "  access      "
            + (tokens == null
                ? "everybody who can reach it may do everything"
                : "with a token of " + tokens.toAbsolutePath().normalize()));
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
    commandLine.getErr().println(sentence);
    commandLine.getErr().flush();
    return status;
  }

  /** What a setting refused, under the name of its option: queuesMax is --queues-max. */
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

  static int within(String option, long value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          option + ": expected " + min + " to " + max + ", but got " + value);
    }
    return (int) value;
  }
}
