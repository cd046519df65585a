package io.holdfast.cli.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a terminal in raw mode, without echo, while this is open.
 *
 * <p>The terminal's state is put back when it is closed, and when the process ends with Ctrl-C.
 */
public final class Keys implements AutoCloseable {
  /** No key was pressed in time. */
  public static final int NONE = -1;

  /** There will be no more keys. */
  public static final int END = -2;

  private static final int KEYS_MAX = 256;

  private final LinkedBlockingQueue<Integer> pressed = new LinkedBlockingQueue<>(KEYS_MAX);
  private final @Nullable String before;
  private final Thread hook;
  private boolean closed;

  private Keys(@Nullable String before, Runnable alsoAtEnd) {
    this.before = before;
    this.hook =
        Thread.ofPlatform()
            .unstarted(
                () -> {
                  alsoAtEnd.run();
                  putBack();
                });
  }

  /**
   * Switches the terminal to raw mode.
   *
   * @param alsoAtEnd what else is to be done if the process ends meanwhile
   */
  public static Keys open(Terminal terminal, Runnable alsoAtEnd) {
    Keys keys = new Keys(terminal.isReal() ? Stty.run("-g") : null, alsoAtEnd);
    Runtime.getRuntime().addShutdownHook(keys.hook);
    if (keys.before != null) {
      Stty.run("-icanon", "-echo", "min", "1", "time", "0");
    }
    Thread.ofPlatform().daemon().name("keys").start(() -> keys.read(terminal.in()));
    return keys;
  }

  private void read(InputStream in) {
    try {
      for (int key = in.read(); key >= 0; key = in.read()) {
        pressed.put(key);
      }
      pressed.put(END);
    } catch (IOException gone) {
      pressed.offer(END);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The next key; {@link #NONE} if there is none in time, {@link #END} if there will be none. */
  public int next(long waitMs) {
    try {
      Integer key = pressed.poll(waitMs, TimeUnit.MILLISECONDS);
      return key == null ? NONE : key;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return END;
    }
  }

  private synchronized void putBack() {
    if (before != null && !closed) {
      closed = true;
      Stty.run(before);
    }
  }

  @Override
  public void close() {
    putBack();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // The hook is running, and finds nothing left to do.
      return;
    }
  }
}
