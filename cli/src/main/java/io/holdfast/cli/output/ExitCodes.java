package io.holdfast.cli.output;

/** The exit codes of all commands. */
public final class ExitCodes {
  public static final int DONE = 0;

  /** Refused, not found, or no result where one was required. */
  public static final int REFUSED = 1;

  /** Invalid arguments. */
  public static final int USAGE = 2;

  /** The server is unreachable. */
  public static final int UNREACHABLE = 3;

  private ExitCodes() {}
}
