package io.holdfast.cli.terminal;

import java.io.InputStream;
import java.io.OutputStream;

/**
 * The terminal of a command: its streams, their size, and whether a person uses them.
 *
 * <p>Thread: any.
 */
public interface Terminal {
  /** Whether it is the terminal of this process, whose mode can be changed. */
  boolean isReal();

  /** Whether a person reads the output. */
  boolean isScreen();

  /** Whether a person reads the errors. */
  boolean isErrorScreen();

  /** Whether a person types the input. */
  boolean isKeyboard();

  /** Whether the output may have colours. */
  boolean hasColours();

  /** How many columns the output has; {@link Integer#MAX_VALUE} if it is no screen. */
  int columns();

  /** How many rows the screen has. */
  int rows();

  /** The standard input. */
  InputStream in();

  /** The standard output. */
  OutputStream out();

  /** Waits; returns false if the command has to end. */
  boolean pause(long ms);
}
