package io.holdfast.engine.command;

import java.util.Base64;

/** A lease's 64 random bits as 11 characters of URL-safe base64. */
public final class LeaseId {
  private static final int CHARS = 11;
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  /** No lease has this number. */
  public static final long NONE = 0;

  private LeaseId() {}

  public static String text(long lease) {
    byte[] bytes = new byte[8];
    Fixed.put(bytes, 0, lease, 8);
    return ENCODER.encodeToString(bytes);
  }

  /** The number of a lease, or {@link #NONE} if the text cannot be one. */
  public static long number(String text) {
    if (text.length() != CHARS) {
      return NONE;
    }
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      long lease = Fixed.get(bytes, 0, 8);
      return text(lease).equals(text) ? lease : NONE;
    } catch (IllegalArgumentException notBase64) {
      return NONE;
    }
  }
}
