package io.holdfast.server.access;

import io.holdfast.server.http.Digests;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The text of a token, {@code hf_<id>_<secret>}: what its holder shows.
 *
 * <p>The secret is 256 random bits, so nobody can try them all, however quick the hash is: SHA-256
 * once is enough, where passwords that people make up would need a slow one.
 *
 * @param id by which it is looked up; no secret
 */
record TokenText(String id, String secret) {
  private static final String PREFIX = "hf_";
  private static final int ID_CHARS = 10;
  private static final int SECRET_BYTES = 32;
  private static final int SECRET_CHARS = 43;
  private static final int WHOLE_CHARS = PREFIX.length() + ID_CHARS + 1 + SECRET_CHARS;
  private static final String ID_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
  private static final SecureRandom RANDOM = new SecureRandom();

  /** A new one. */
  static TokenText fresh() {
    StringBuilder id = new StringBuilder();
    for (int i = 0; i < ID_CHARS; i++) {
      id.append(ID_ALPHABET.charAt(RANDOM.nextInt(ID_ALPHABET.length())));
    }
    byte[] secret = new byte[SECRET_BYTES];
    RANDOM.nextBytes(secret);
    return new TokenText(
        id.toString(), Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
  }

  /** Reads what somebody showed; null if it cannot be a token. */
  static @Nullable TokenText parse(String text) {
    int border = PREFIX.length() + ID_CHARS;
    if (text.length() != WHOLE_CHARS || !text.startsWith(PREFIX) || text.charAt(border) != '_') {
      return null;
    }
    return new TokenText(text.substring(PREFIX.length(), border), text.substring(border + 1));
  }

  /** Whether something may be the id of a token. */
  static boolean isId(String text) {
    return text.length() == ID_CHARS && text.chars().allMatch(c -> ID_ALPHABET.indexOf(c) >= 0);
  }

  /** What is stored instead of the secret. */
  byte[] hash() {
    return Digests.sha256(secret);
  }

  /** The whole, as it is shown once. */
  String text() {
    return PREFIX + id + "_" + secret;
  }

  /** Without the secret, so that it gets into no log. */
  @Override
  public String toString() {
    return PREFIX + id;
  }
}
