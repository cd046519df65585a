package io.holdfast.cli.output;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.cli.terminal.Printable;
import org.jspecify.annotations.Nullable;

/** Formats an error as one sentence on one line, without control characters. */
public final class ErrorText {
  private ErrorText() {}

  /** Capitalizes the first word and ends with a full stop. */
  public static String of(@Nullable String text) {
    String words = Printable.of(String.valueOf(text).strip().replaceAll("\\s*\\R\\s*", " "));
    if (words.isEmpty()) {
      return words;
    }
    String first = words.split(" ", 2)[0];
    // The name of a field or an option is not changed.
    boolean name = first.endsWith(":") || !first.chars().allMatch(Character::isLetter);
    String begun = name ? words : Character.toUpperCase(words.charAt(0)) + words.substring(1);
    char last = begun.charAt(begun.length() - 1);
    return last == '.' || last == '!' || last == '?' ? begun : begun + ".";
  }

  /** The error of a refused request, and the remedy. */
  public static String of(RefusedException refused) {
    ErrorCode code = refused.refusal().code();
    String why = of(refused.refusal().detail().replaceAll("[.\\s]+$", "") + " (" + code + ")");
    String hint = hint(code);
    return hint.isEmpty() ? why : why + " " + hint;
  }

  private static String hint(ErrorCode code) {
    return switch (code) {
      case FULL -> "Try again when consumers have caught up.";
      case OVERLOADED -> "Try again in a moment.";
      case STALE_LEASE -> "The messages are back in their queue: pop them again.";
      case SHARD_STOPPED -> "See the server log, then restart the server.";
      default -> "";
    };
  }
}
