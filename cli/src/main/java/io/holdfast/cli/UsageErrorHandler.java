package io.holdfast.cli;

import io.holdfast.cli.output.ErrorText;
import io.holdfast.cli.output.ExitCodes;
import io.holdfast.cli.terminal.Printable;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints invalid arguments in one sentence, and how to get help. */
final class UsageErrorHandler implements IParameterExceptionHandler {
  private static final int SUGGESTIONS_MAX = 2;

  @Override
  public int handleParseException(ParameterException wrong, String[] arguments) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter err = command.getErr();
    StringBuilder words = new StringBuilder(ErrorText.of(plain(wrong)));
    if (wrong instanceof UnmatchedArgumentException unmatched) {
      List<String> near = unmatched.getSuggestions();
      if (!near.isEmpty()) {
        words
            .append(" Did you mean ")
            .append(
                Printable.of(
                    String.join(" or ", near.subList(0, Math.min(SUGGESTIONS_MAX, near.size())))))
            .append('?');
      }
    }
    err.println(words + " Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    err.flush();
    return ExitCodes.USAGE;
  }

  /** The error, without the names of Java classes. */
  private static String plain(ParameterException wrong) {
    if (wrong instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
      String first = unmatched.getUnmatched().getFirst();
      return wrong.getCommandLine().getSubcommands().isEmpty()
          ? "expected nothing further, but got " + first
          : "unknown command: " + first;
    }
    if (wrong instanceof MissingParameterException missing && !missing.getMissing().isEmpty()) {
      ArgSpec argument = missing.getMissing().getFirst();
      String name =
          argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
      return "expected " + name + ", but there is none";
    }
    return String.valueOf(wrong.getMessage())
        .replaceAll("(?s) \\(java\\.[\\w.]+Exception.*\\)$", "");
  }
}
