package io.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/** A terminal of a test: nobody reads it and nothing comes in, unless the test says so. */
public final class FakeTerminal implements Terminal {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private boolean screen;
  private boolean keyboard;
  private boolean colours;
  private int columns = Integer.MAX_VALUE;
  private byte[] in = new byte[0];
  private BooleanSupplier pause = () -> false;
  private IntConsumer reading = count -> {};

  /** A person reads it. */
  public FakeTerminal screen(int width) {
    screen = true;
    columns = width;
    return this;
  }

  public FakeTerminal colours() {
    colours = true;
    return this;
  }

  /** A person types this. */
  public FakeTerminal keyboard(String typed) {
    keyboard = true;
    return in(typed);
  }

  /** This is piped in. */
  public FakeTerminal in(String text) {
    in = text.getBytes(UTF_8);
    return this;
  }

  /** What happens before each byte is read; it is told how many were. */
  public FakeTerminal onRead(IntConsumer act) {
    reading = act;
    return this;
  }

  /** What happens instead of each pause; false ends it. */
  public FakeTerminal pauses(BooleanSupplier instead) {
    pause = instead;
    return this;
  }

  /** So many pauses, then it ends. */
  public FakeTerminal pauses(int count) {
    int[] left = {count};
    return pauses(() -> left[0]-- > 0);
  }

  public String printed() {
    return out.toString(UTF_8);
  }

  public byte[] bytes() {
    return out.toByteArray();
  }

  @Override
  public boolean isReal() {
    return false;
  }

  @Override
  public boolean isScreen() {
    return screen;
  }

  @Override
  public boolean isErrorScreen() {
    return screen;
  }

  @Override
  public boolean isKeyboard() {
    return keyboard;
  }

  @Override
  public boolean hasColours() {
    return colours;
  }

  @Override
  public int columns() {
    return columns;
  }

  @Override
  public int rows() {
    return 24;
  }

  @Override
  public InputStream in() {
    return new ByteArrayInputStream(in) {
      private int reads;

      @Override
      public synchronized int read() {
        reading.accept(reads++);
        return super.read();
      }

      @Override
      public synchronized int read(byte[] bytes, int offset, int length) {
        reading.accept(reads++);
        return super.read(bytes, offset, length);
      }
    };
  }

  @Override
  public ByteArrayOutputStream out() {
    return out;
  }

  @Override
  public boolean pause(long ms) {
    return pause.getAsBoolean();
  }
}
