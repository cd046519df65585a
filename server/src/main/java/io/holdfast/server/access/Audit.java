package io.holdfast.server.access;

import java.util.HexFormat;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line of the audit log: who did what, from where, to which queue, and how it ended.
 *
 * <p>It is {@code key=value}, each once. A value with anything but plain characters is quoted, and
 * whatever could end the line, hide a part of it or move the cursor is written as {@code \\uXXXX}.
 * There is no payload and no secret in it.
 */
public final class Audit {
  private static final Logger LOG = LoggerFactory.getLogger("holdfast.audit");

  /** Longest value that is written out. */
  private static final int VALUE_CHARS_MAX = 300;

  private static final ScopedValue<Audit> CURRENT = ScopedValue.newInstance();

  private final StringBuilder line = new StringBuilder(160);

  private Audit(String act) {
    put("act", act);
  }

  /** Begins a line on what the current caller does. */
  public static Audit of(String act) {
    return of(act, Caller.current());
  }

  /** Begins a line on what somebody does, or tried. */
  static Audit of(String act, Caller caller) {
    Grant grant = caller.grant();
    return new Audit(act)
        .put("by", grant == null ? "nobody" : grant.id())
        .put("name", grant == null ? null : grant.name())
        .put("from", caller.from())
        .put("request", caller.request());
  }

  /** Does something that may add details to the line. */
  <T> T during(Supplier<T> act) {
    return ScopedValue.where(CURRENT, this).call(act::get);
  }

  /** Adds a value to the line of the call that is being answered. */
  public static void detail(String key, @Nullable Object value) {
    CURRENT.get().put(key, value);
  }

  /** Adds a value; nothing if it is null. */
  public Audit put(String key, @Nullable Object value) {
    if (value == null) {
      return this;
    }
    if (!line.isEmpty()) {
      line.append(' ');
    }
    line.append(key).append('=');
    String text = value.toString();
    if (!text.isEmpty() && text.chars().allMatch(Audit::isPlain)) {
      line.append(text, 0, Math.min(text.length(), VALUE_CHARS_MAX));
    } else {
      quoted(text);
    }
    return this;
  }

  private void quoted(String text) {
    line.append('"');
    int end = Math.min(text.length(), VALUE_CHARS_MAX);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        line.append('\\').append(c);
      } else if (isShown(c)) {
        line.append(c);
      } else {
        line.append("\\u").append(HexFormat.of().toHexDigits(c));
      }
    }
    line.append('"');
  }

  private static boolean isPlain(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "-_.:/*".indexOf(c) >= 0;
  }

  /**
   * Letters of all scripts are; controls, line ends and what turns the direction of text are not.
   */
  private static boolean isShown(char c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }

  /** Writes the line. */
  public void result(String result) {
    LOG.info("{}", put("result", result).line);
  }

  /** The line so far. */
  @Override
  public String toString() {
    return line.toString();
  }
}
