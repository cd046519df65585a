package io.holdfast.server.http;

/**
 * Counts the keys of a JSON text while it comes in, and refuses one that has too many.
 *
 * <p>To read a key costs much more than to send it. Whether the text is JSON is not looked at here.
 */
final class KeyCount {
  /** Most keys of a body, payloads included. */
  static final int KEYS_MAX = 500_000;

  /** A body that is not larger cannot cost much. */
  static final int SMALL_BYTES = 1024 * 1024;

  private int counted;
  private int keys;
  private boolean inText;

  /**
   * Counts on behind what was counted before.
   *
   * @param length how much of the text has come
   * @throws Problem if there are too many
   */
  void count(byte[] text, int length) {
    int at = counted;
    for (; at < length; at++) {
      byte b = text[at];
      if (inText) {
        if (b == '"') {
          inText = false;
        } else if (b == '\\') {
          at++;
        }
      } else if (b == '"') {
        inText = true;
      } else if (b == ':') {
        keys++;
      }
    }
    counted = at;
    if (keys > KEYS_MAX) {
      throw Problem.body("the body: expected at most " + KEYS_MAX + " keys, but got more");
    }
  }
}
