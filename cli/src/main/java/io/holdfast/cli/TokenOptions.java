package io.holdfast.cli;

import io.holdfast.server.access.TokenFile;
import io.holdfast.server.access.TokensException;
import io.holdfast.server.http.JsonOut;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of all commands about tokens, and how they end. */
final class TokenOptions {
  /** Where tokens are kept if nothing is said. */
  static final String FILE = "./holdfast.tokens";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--tokens",
      paramLabel = "<file>",
      defaultValue = "${env:HOLDFAST_TOKENS:-" + FILE + "}",
      description =
          "The file they are kept in, as the server has it (default: ${DEFAULT-VALUE})."
              + " HOLDFAST_TOKENS")
  private Path file;

  @Option(names = "--json", description = "Answer with JSON instead of text.")
  private boolean json;

  /** What a command does with the file; answers its exit code. */
  interface Action {
    int run(TokenFile file);
  }

  int run(Action action) {
    try {
      return action.run(new TokenFile(file));
    } catch (TokensException failed) {
      return fail(ExitCode.SOFTWARE, String.valueOf(failed.getMessage()));
    } catch (IllegalArgumentException wrong) {
      return fail(ExitCode.USAGE, String.valueOf(wrong.getMessage()));
    }
  }

  int fail(int status, String sentence) {
    spec.commandLine().getErr().println(sentence);
    spec.commandLine().getErr().flush();
    return status;
  }

  boolean json() {
    return json;
  }

  int print(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(text);
    out.flush();
    return ExitCode.OK;
  }

  int print(JsonOut document) {
    return print(new String(document.done(), StandardCharsets.UTF_8));
  }
}
