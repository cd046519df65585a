package io.holdfast.cli;

import io.holdfast.cli.output.ExitCodes;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Prints an unexpected exception as a bug of Holdfast. */
final class UnexpectedErrorHandler implements IExecutionExceptionHandler {
  @Override
  public int handleExecutionException(
      Exception unexpected, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    err.println("This is a bug in Holdfast; please report it with the following stack trace.");
    unexpected.printStackTrace(err);
    err.flush();
    return ExitCodes.REFUSED;
  }
}
