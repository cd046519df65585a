package io.holdfast.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** What is said of an error that nobody has thought of, for those who mend it. */
final class Defects implements IExecutionExceptionHandler {
  @Override
  public int handleExecutionException(
      Exception unexpected, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    err.println("This is a defect of Holdfast; please report it with what follows.");
    unexpected.printStackTrace(err);
    err.flush();
    return Exit.REFUSED;
  }
}
