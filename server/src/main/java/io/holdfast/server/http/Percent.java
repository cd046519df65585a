package io.holdfast.server.http;

import io.holdfast.json.Utf8;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Percent-encoded text, read strictly. */
final class Percent {
  private static final Pattern WRONG = Pattern.compile("%(?![0-9a-fA-F]{2})");

  private Percent() {}

  /** The text; null if it is not percent-encoded UTF-8. */
  static @Nullable String decode(String raw, boolean plusIsSpace) {
    if (isPlain(raw)) {
      return raw;
    }
    if (WRONG.matcher(raw).find()) {
      return null;
    }
    String encoded = plusIsSpace ? raw : raw.replace("+", "%2B");
    byte[] bytes =
        URLDecoder.decode(encoded, StandardCharsets.ISO_8859_1)
            .getBytes(StandardCharsets.ISO_8859_1);
    return Utf8.isValid(bytes) ? new String(bytes, StandardCharsets.UTF_8) : null;
  }

  private static boolean isPlain(String raw) {
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%' || c == '+' || c >= 0x80) {
        return false;
      }
    }
    return true;
  }
}
