package io.holdfast.server.dashboard;

import io.holdfast.server.http.Digests;
import java.util.Arrays;
import java.util.Base64;

/**
 * A file of the dashboard.
 *
 * @param etag changes with its bytes; weak, because it is the same for the compressed bytes
 */
record Asset(String contentType, byte[] bytes, String etag) {
  private static final int ETAG_BYTES = 18;

  static Asset of(String contentType, byte[] bytes) {
    byte[] digest = Arrays.copyOf(Digests.sha256(bytes), ETAG_BYTES);
    return new Asset(
        contentType,
        bytes,
        "W/\"" + Base64.getUrlEncoder().withoutPadding().encodeToString(digest) + '"');
  }
}
