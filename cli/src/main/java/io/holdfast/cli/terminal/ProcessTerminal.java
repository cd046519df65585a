package io.holdfast.cli.terminal;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The terminal of this process.
 *
 * <p>The launcher says which of the three streams are one, as a JVM can only tell of input and
 * output together.
 */
public final class ProcessTerminal implements Terminal {
  /**
   * The streams that are terminals: a text with 0 for the input, 1 for the output, 2 for errors.
   */
  static final String STREAMS = "holdfast.terminal";

  /** The size of the terminal: rows and columns. */
  static final String SIZE = "holdfast.terminal.size";

  private static final long SIZE_FRESH_NANOS = 1_000_000_000L;

  private final OutputStream out = new FileOutputStream(FileDescriptor.out);
  private final String streams;
  private @Nullable Size size;
  private long sizeNanos;

  public ProcessTerminal() {
    String told = System.getProperty(STREAMS);
    this.streams = told == null ? askTheJvm() : told;
    String at = System.getProperty(SIZE);
    this.size = at == null ? null : Size.parse(at);
    this.sizeNanos = System.nanoTime();
  }

  // Java 22 to 24 always have a console, others only on a terminal.
  @SuppressWarnings("SystemConsoleNull")
  private static String askTheJvm() {
    Console console = System.console();
    return console != null && console.isTerminal() ? "012" : "";
  }

  @Override
  public boolean isReal() {
    return true;
  }

  @Override
  public boolean isScreen() {
    return streams.indexOf('1') >= 0;
  }

  @Override
  public boolean isErrorScreen() {
    return streams.indexOf('2') >= 0;
  }

  @Override
  public boolean isKeyboard() {
    return streams.indexOf('0') >= 0;
  }

  @Override
  public boolean hasColours() {
    String no = System.getenv("NO_COLOR");
    return isScreen() && (no == null || no.isEmpty()) && !"dumb".equals(System.getenv("TERM"));
  }

  @Override
  public int columns() {
    return isScreen() ? size().columns() : Integer.MAX_VALUE;
  }

  @Override
  public int rows() {
    return size().rows();
  }

  /** Reads the size again now and then, because windows are resized. */
  private synchronized Size size() {
    long now = System.nanoTime();
    if (size == null || now - sizeNanos > SIZE_FRESH_NANOS) {
      Size asked = Size.parse(Stty.run("size"));
      size = asked == null ? Size.DEFAULT : asked;
      sizeNanos = now;
    }
    return size;
  }

  @Override
  public InputStream in() {
    return System.in;
  }

  @Override
  public OutputStream out() {
    return out;
  }

  @Override
  public boolean pause(long ms) {
    try {
      Thread.sleep(ms);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
