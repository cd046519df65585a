package io.holdfast.bench;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Clean-up that also runs if the JVM is ended by a signal such as Ctrl-C: the latest action first.
 *
 * <p>Thread: any.
 */
final class ExitActions {
  private static final Deque<Runnable> ACTIONS = new ArrayDeque<>();

  static {
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(ExitActions::runAll));
  }

  private ExitActions() {}

  static synchronized void add(Runnable action) {
    ACTIONS.push(action);
  }

  static synchronized void remove(Runnable action) {
    ACTIONS.remove(action);
  }

  private static void runAll() {
    for (Runnable action = next(); action != null; action = next()) {
      try {
        action.run();
      } catch (RuntimeException e) {
        System.err.println("clean-up failed: " + e);
      }
    }
  }

  private static synchronized @Nullable Runnable next() {
    return ACTIONS.poll();
  }
}
