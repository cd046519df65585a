package io.holdfast.cli;

/** What the exit codes of every command mean. */
final class Exit {
  static final int DONE = 0;

  /** Refused, not there, or nothing found where something was wanted. */
  static final int REFUSED = 1;

  /** The command line is wrong. */
  static final int USAGE = 2;

  /** No server answers. */
  static final int UNREACHABLE = 3;

  private Exit() {}
}
