package io.holdfast.cli.terminal;

import java.io.InputStream;
import java.io.OutputStream;

/**
 * What stands around a command: who reads its output, how wide that is, and who can be asked.
 *
 * <p>Thread: any.
 */
public interface Terminal {
  /** Whether it is that of this process, whose behaviour can be changed. */
  boolean isReal();

  /** Whether a person reads the output. */
  boolean isScreen();

  /** Whether a person reads the errors. */
  boolean isErrorScreen();

  /** Whether a person types the input. */
  boolean isKeyboard();

  /** Whether the output may have colours. */
  boolean hasColours();

  /** How many columns the output has; {@link Integer#MAX_VALUE} where nobody cares. */
  int columns();

  /** How many rows the screen has. */
  int rows();

  /** What is typed or piped in. */
  InputStream in();

  /** Where the output goes. */
  OutputStream out();

  /** Waits; answers false if it is time to end instead. */
  boolean pause(long ms);
}
