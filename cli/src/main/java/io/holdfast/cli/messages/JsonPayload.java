package io.holdfast.cli.messages;

import io.holdfast.json.JsonCheck;
import io.holdfast.json.JsonOut;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Payloads that are JSON, as HTTP requires. */
final class JsonPayload {
  private static final int SHOWN_CHARS_MAX = 40;

  private JsonPayload() {}

  /**
   * Removes the white space around one JSON value.
   *
   * @throws IllegalArgumentException if the bytes are no JSON value
   */
  static byte[] checked(byte[] bytes, String where) {
    int from = 0;
    int to = bytes.length;
    while (from < to && isSpace(bytes[from])) {
      from++;
    }
    while (to > from && isSpace(bytes[to - 1])) {
      to--;
    }
    byte[] value = Arrays.copyOfRange(bytes, from, to);
    if (!JsonCheck.isOneValue(value)) {
      String shown = new String(value, StandardCharsets.UTF_8);
      throw new IllegalArgumentException(
          where
              + ": expected JSON, but got "
              + (value.length == 0
                  ? "nothing"
                  : shown.length() <= SHOWN_CHARS_MAX
                      ? shown
                      : shown.substring(0, SHOWN_CHARS_MAX) + "…")
              + "; use --text to push a JSON string, --raw to push the bytes unchanged");
    }
    return value;
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  /** Text as a JSON string, without the last line break. */
  static byte[] ofText(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    return new JsonOut()
        .add(text.endsWith("\n") ? text.substring(0, text.length() - 1) : text)
        .done();
  }
}
