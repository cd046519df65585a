package io.holdfast.cli.options;

import io.holdfast.api.Broker;
import io.holdfast.api.RefusedException;
import io.holdfast.api.UnreachableException;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.ErrorText;
import io.holdfast.cli.output.ExitCodes;
import io.holdfast.cli.output.OutputOptions;
import io.holdfast.client.remote.RemoteBroker;
import io.holdfast.client.remote.RemoteConfig;
import io.holdfast.server.ServerConfig;
import io.holdfast.workflow.FlowException;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of commands that call a server, and how such a call ends. */
public final class ServerOptions extends OutputOptions {
  private static final Duration PAUSE = Duration.ofMillis(50);

  @Option(
      names = "--server",
      paramLabel = "<url>",
      defaultValue = "${env:HOLDFAST_SERVER:-http://127.0.0.1:" + ServerConfig.PORT + "}",
      description = "Server URL (default: ${DEFAULT-VALUE}). HOLDFAST_SERVER")
  private String server;

  @Mixin private ServerCredentials credentials;

  public String server() {
    return server;
  }

  public RemoteConfig config() {
    return credentials.config(server);
  }

  /** Calls the server; prints an error in one line if that fails. Returns the exit code. */
  public int run(ToIntFunction<Broker> action) {
    return run(UnaryOperator.identity(), action);
  }

  /**
   * The same for a command that asks again and again: a call fails soon if no server answers, so
   * that the user sees it at once.
   */
  public int runRepeated(ToIntFunction<Broker> action) {
    return run(config -> config.retries(2, PAUSE, PAUSE).rest(Integer.MAX_VALUE, PAUSE), action);
  }

  private int run(UnaryOperator<RemoteConfig> change, ToIntFunction<Broker> action) {
    try (RemoteBroker broker = RemoteBroker.at(change.apply(config()))) {
      return action.applyAsInt(broker);
    } catch (UnreachableException unreachable) {
      return fail(ExitCodes.UNREACHABLE, explain(unreachable));
    } catch (RefusedException refused) {
      return fail(ErrorText.of(refused));
    } catch (FlowException | IllegalStateException refused) {
      return fail(String.valueOf(refused.getMessage()));
    } catch (IllegalArgumentException wrong) {
      return fail(ExitCodes.USAGE, String.valueOf(wrong.getMessage()));
    }
  }

  /** Calls the server and prints the result. */
  public int show(Function<Broker, CommandOutput> query) {
    return run(broker -> print(query.apply(broker)));
  }

  /** The reason why a call has no answer, and the remedy. */
  public String explain(UnreachableException unreachable) {
    Throwable cause = unreachable.getCause();
    String why = cause == null ? unreachable.getMessage() : cause.getMessage();
    return unreachable.isInDoubt()
        ? "the server at %s did not answer: %s; the request may have taken effect, check before you repeat it"
            .formatted(server, why)
        : "no server answers at %s: %s; start one with 'holdfast serve', or set --server"
            .formatted(server, why);
  }
}
