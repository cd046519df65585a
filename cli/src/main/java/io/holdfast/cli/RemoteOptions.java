package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.RefusedException;
import io.holdfast.api.UnreachableException;
import io.holdfast.client.remote.RemoteBroker;
import io.holdfast.client.remote.RemoteConfig;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.http.JsonOut;
import io.holdfast.workflow.FlowException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of all commands that ask a server, and how they end. */
final class RemoteOptions {
  /** What was asked for is not there, or is refused. */
  static final int REFUSED = CommandLine.ExitCode.SOFTWARE;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--server",
      paramLabel = "<address>",
      defaultValue = "${env:HOLDFAST_SERVER:-http://127.0.0.1:" + ServerConfig.PORT + "}",
      description = "Where the server is (default: ${DEFAULT-VALUE}). HOLDFAST_SERVER")
  private String server;

  @Mixin private RemoteAccess access;

  @Option(names = "--json", description = "Answer with JSON instead of a table.")
  private boolean json;

  /** How the server is asked. */
  RemoteConfig config() {
    return access.config(server);
  }

  /** What a command does with a broker; answers its exit code. */
  interface Action {
    int run(Broker broker);
  }

  /** Does something with the server's broker, and says in one line what is wrong if it cannot. */
  int run(Action action) {
    try (RemoteBroker broker = RemoteBroker.at(config())) {
      return action.run(broker);
    } catch (UnreachableException unreachable) {
      return fail("no server answers at " + server + ": " + unreachable.getMessage());
    } catch (FlowException | RefusedException refused) {
      return fail(String.valueOf(refused.getMessage()));
    } catch (IllegalArgumentException wrong) {
      spec.commandLine().getErr().println(wrong.getMessage());
      spec.commandLine().getErr().flush();
      return CommandLine.ExitCode.USAGE;
    }
  }

  /** Says what is wrong. */
  int fail(String text) {
    spec.commandLine().getErr().println(text);
    spec.commandLine().getErr().flush();
    return REFUSED;
  }

  boolean json() {
    return json;
  }

  PrintWriter out() {
    return spec.commandLine().getOut();
  }

  PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Prints JSON, and says that all is well. */
  int print(JsonOut document) {
    out().println(new String(document.done(), StandardCharsets.UTF_8));
    out().flush();
    return CommandLine.ExitCode.OK;
  }

  /** Prints lines, and says that all is well. */
  int print(String text) {
    out().println(text);
    out().flush();
    return CommandLine.ExitCode.OK;
  }
}
