package io.holdfast.cli.access;

import io.holdfast.cli.output.ExitCodes;
import io.holdfast.cli.output.OutputOptions;
import io.holdfast.server.access.TokenFile;
import io.holdfast.server.access.TokensException;
import java.nio.file.Path;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Option;

/** The token file of a command, and how the command ends. */
public final class TokenOptions extends OutputOptions {
  /** The default file. */
  public static final String FILE = "./holdfast.tokens";

  @Option(
      names = "--tokens",
      paramLabel = "<file>",
      defaultValue = "${env:HOLDFAST_TOKENS:-" + FILE + "}",
      description = "Token file of the server (default: ${DEFAULT-VALUE}). HOLDFAST_TOKENS")
  private Path file;

  int run(ToIntFunction<TokenFile> action) {
    try {
      return action.applyAsInt(new TokenFile(file));
    } catch (TokensException failed) {
      return fail(String.valueOf(failed.getMessage()));
    } catch (IllegalArgumentException wrong) {
      return fail(ExitCodes.USAGE, String.valueOf(wrong.getMessage()));
    }
  }
}
