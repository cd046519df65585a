package io.holdfast.server.dashboard;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/**
 * A file of the dashboard.
 *
 * @param etag changes with its bytes
 */
record Asset(String contentType, byte[] bytes, String etag) {
  private static final int ETAG_BYTES = 18;

  static Asset of(String contentType, byte[] bytes) {
    byte[] digest = Arrays.copyOf(sha256(bytes), ETAG_BYTES);
    return new Asset(
        contentType,
        bytes,
        '"' + Base64.getUrlEncoder().withoutPadding().encodeToString(digest) + '"');
  }

  static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException everyJvmHasIt) {
      throw new IllegalStateException(everyJvmHasIt);
    }
  }
}
