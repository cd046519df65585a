package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.RefusedException;
import io.holdfast.api.UnreachableException;
import io.holdfast.cli.terminal.Terminal;
import io.holdfast.cli.terminal.Text;
import io.holdfast.client.remote.RemoteBroker;
import io.holdfast.client.remote.RemoteConfig;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.http.JsonOut;
import io.holdfast.workflow.FlowException;
import java.io.PrintWriter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of all commands that ask a server, how they print, and how they end. */
final class RemoteOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--server",
      paramLabel = "<address>",
      defaultValue = "${env:HOLDFAST_SERVER:-http://127.0.0.1:" + ServerConfig.PORT + "}",
      description = "Where the server is (default: ${DEFAULT-VALUE}). HOLDFAST_SERVER")
  private String server;

  @Mixin private RemoteAccess access;

  @Option(names = "--json", description = "Answer with JSON, for programs.")
  private boolean json;

  /** How the server is asked. */
  RemoteConfig config() {
    return access.config(server);
  }

  /** What a command does with a broker; answers its exit code. */
  interface Action {
    int run(Broker broker);
  }

  /** What a command asks a broker, to tell it. */
  interface Question {
    Told ask(Broker broker);
  }

  /** Does something with the server's broker, and says in one line what is wrong if it cannot. */
  int run(Action action) {
    try (RemoteBroker broker = RemoteBroker.at(config())) {
      return action.run(broker);
    } catch (UnreachableException unreachable) {
      fail(words(unreachable));
      return Exit.UNREACHABLE;
    } catch (RefusedException refused) {
      return fail(Sentence.of(refused));
    } catch (FlowException | IllegalStateException refused) {
      return fail(String.valueOf(refused.getMessage()));
    } catch (IllegalArgumentException wrong) {
      fail(String.valueOf(wrong.getMessage()));
      return Exit.USAGE;
    }
  }

  /** Asks, and prints what there is to tell. */
  int show(Question question) {
    return run(broker -> print(question.ask(broker)));
  }

  /** Why there is no answer, and what to do. */
  String words(UnreachableException unreachable) {
    Throwable cause = unreachable.getCause();
    String why = cause == null ? unreachable.getMessage() : cause.getMessage();
    return unreachable.isInDoubt()
        ? "the server at "
            + server
            + " did not answer: "
            + why
            + "; whether it took effect is not known, so look before you repeat it"
        : "no server answers at "
            + server
            + ": "
            + why
            + "; start one with 'holdfast serve', or say with --server where it is";
  }

  /** Says what is wrong. */
  int fail(String text) {
    err().println(Sentence.of(text));
    err().flush();
    return Exit.REFUSED;
  }

  boolean json() {
    return json;
  }

  String server() {
    return server;
  }

  Terminal terminal() {
    return Main.terminal(spec);
  }

  PrintWriter out() {
    return spec.commandLine().getOut();
  }

  PrintWriter err() {
    return spec.commandLine().getErr();
  }

  int print(Told told) {
    out().println(rendered(told));
    out().flush();
    return told.exit();
  }

  /** What is to be printed, in the form that was asked for. */
  String rendered(Told told) {
    return json ? JsonLine.of(told.json().get().done()) : rendered(told.text().get());
  }

  String rendered(Text text) {
    return text.render(terminal().columns(), terminal().hasColours());
  }

  /** Prints JSON, and says that all is well. */
  int print(JsonOut document) {
    out().println(JsonLine.of(document.done()));
    out().flush();
    return Exit.DONE;
  }

  /** Prints text, and says that all is well. */
  int print(Text text) {
    out().println(rendered(text));
    out().flush();
    return Exit.DONE;
  }

  /** Prints lines, and says that all is well. */
  int print(String text) {
    return print(Text.of(text));
  }
}
