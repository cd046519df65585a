package io.holdfast.cli;

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

/** What is said of a wrong command line: one sentence, and where the help is. */
final class Mistakes implements IParameterExceptionHandler {
  private static final int SUGGESTIONS_MAX = 2;

  @Override
  public int handleParseException(ParameterException wrong, String[] arguments) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter err = command.getErr();
    StringBuilder words = new StringBuilder(Sentence.of(plain(wrong)));
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
    return Exit.USAGE;
  }

  /** What is wrong, without what is only a word of programmers. */
  private static String plain(ParameterException wrong) {
    if (wrong instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
      String first = unmatched.getUnmatched().getFirst();
      return wrong.getCommandLine().getSubcommands().isEmpty()
          ? "expected nothing further, but got " + first
          : "there is no command " + first;
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
