package io.holdfast.workflow;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong, as it is kept in a history.
 *
 * @param type the class of the exception, or one of the words below
 * @param message what it said
 * @param stack where it happened; null if that is not known
 */
public record Failure(String type, String message, @Nullable String stack) {
  /** A task that was cancelled. */
  public static final String CANCELLED = "Cancelled";

  /** A flow that was terminated. */
  public static final String TERMINATED = "Terminated";

  /** A value that is larger than a broker takes. */
  public static final String TOO_LARGE = "TooLarge";

  /** An attempt of an activity that took longer than it may. */
  public static final String TIMEOUT = "Timeout";

  /** A flow of that id exists, and is another one. */
  public static final String CONFLICT = "Conflict";

  /** Most characters that are kept of a stack. */
  private static final int STACK_CHARS_MAX = 8_000;

  /** Most characters that are kept of a message. */
  private static final int MESSAGE_CHARS_MAX = 4_000;

  public Failure {
    message = cut(message, MESSAGE_CHARS_MAX);
    stack = stack == null ? null : cut(stack, STACK_CHARS_MAX);
  }

  private static String cut(String text, int charsMax) {
    return text.length() <= charsMax ? text : text.substring(0, charsMax);
  }

  public static Failure of(String type, String message) {
    return new Failure(type, message, null);
  }

  /** The failure that an exception stands for. */
  public static Failure of(Throwable thrown) {
    if (thrown instanceof TaskFailed failed) {
      return failed.failure();
    }
    StringWriter stack = new StringWriter();
    thrown.printStackTrace(new PrintWriter(stack));
    String message = thrown.getMessage();
    return new Failure(
        thrown.getClass().getName(), message == null ? "" : message, stack.toString());
  }

  @Override
  public String toString() {
    return message.isEmpty() ? type : type + ": " + message;
  }
}
