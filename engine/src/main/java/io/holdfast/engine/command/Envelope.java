package io.holdfast.engine.command;

import java.util.HexFormat;

/**
 * The form of a sealed payload.
 *
 * <pre>
 *   0  format      1   how it is sealed: 1 is XAES-256-GCM
 *   1  key id      4   of the key it is sealed with
 *   5  nonce      24
 *  29  ciphertext, and a tag of 16 bytes
 * </pre>
 */
public final class Envelope {
  /** Bumped when payloads are sealed in another way. */
  public static final int FORMAT = 1;

  public static final int KEY_AT = 1;
  public static final int NONCE_AT = 5;
  public static final int NONCE_BYTES = 24;
  public static final int BODY_AT = NONCE_AT + NONCE_BYTES;
  public static final int TAG_BYTES = 16;

  /** How much longer than its payload an envelope is. */
  public static final int OVERHEAD_BYTES = BODY_AT + TAG_BYTES;

  private Envelope() {}

  /** The key of the envelope that begins at an offset. */
  public static int keyId(byte[] bytes, int at) {
    return (int) Fixed.get(bytes, at + KEY_AT, 4);
  }

  /** The id of a key as people see it. */
  public static String keyText(int keyId) {
    return HexFormat.of().toHexDigits(keyId);
  }
}
