package io.holdfast.server.http;

import io.holdfast.json.Utf8;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Percent-encoded text, read strictly. */
final class Percent {
  private Percent() {}

  /** The text; null if it is not percent-encoded UTF-8. */
  static @Nullable String decode(String raw, boolean plusIsSpace) {
    if (raw.indexOf('%') < 0 && (!plusIsSpace || raw.indexOf('+') < 0) && isPlain(raw)) {
      return raw;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        int high = i + 2 < raw.length() ? Character.digit(raw.charAt(i + 1), 16) : -1;
        int low = i + 2 < raw.length() ? Character.digit(raw.charAt(i + 2), 16) : -1;
        if (high < 0 || low < 0) {
          return null;
        }
        out.write(high << 4 | low);
        i += 2;
      } else if (c == '+' && plusIsSpace) {
        out.write(' ');
      } else if (c < 0x80) {
        out.write(c);
      } else {
        // Bytes that a client did not encode, as they came.
        out.writeBytes(String.valueOf(c).getBytes(StandardCharsets.ISO_8859_1));
      }
    }
    byte[] bytes = out.toByteArray();
    return Utf8.isValid(bytes) ? new String(bytes, StandardCharsets.UTF_8) : null;
  }

  private static boolean isPlain(String raw) {
    for (int i = 0; i < raw.length(); i++) {
      if (raw.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }
}
