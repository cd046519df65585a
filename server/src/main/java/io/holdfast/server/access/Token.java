package io.holdfast.server.access;

import io.holdfast.api.InvalidArgumentException;
import java.util.regex.Pattern;

/**
 * A token as it is stored: all but its secret.
 *
 * @param sha256 of the secret, in hexadecimal digits
 * @param expiresMs 0 for never
 * @param revokedMs 0 if it was not
 */
public record Token(
    String id,
    String name,
    String sha256,
    Role role,
    NamePatterns names,
    long createdMs,
    long expiresMs,
    long revokedMs) {
  /** Longest name, in characters. */
  static final int NAME_CHARS_MAX = 100;

  private static final Pattern HASH = Pattern.compile("[0-9a-fA-F]{64}");

  public Token {
    if (!TokenText.isId(id)) {
      throw new InvalidArgumentException("id: expected the id of a token, but it is none");
    }
    checkName(name);
    if (!HASH.matcher(sha256).matches()) {
      throw new InvalidArgumentException(
          "sha256: expected 64 hexadecimal digits, but got something else");
    }
  }

  static void checkName(String name) {
    if (name.isBlank()
        || name.length() > NAME_CHARS_MAX
        || name.chars().anyMatch(Character::isISOControl)) {
      throw new InvalidArgumentException(
          "name: expected 1 to "
              + NAME_CHARS_MAX
              + " characters, none of them a control character, but got something else");
    }
  }

  /** Whether it opens anything at a time. */
  public boolean isGood(long nowMs) {
    return revokedMs == 0 && (expiresMs == 0 || nowMs < expiresMs);
  }

  /** What it allows. */
  Grant grant() {
    return new Grant(id, name, role, names);
  }

  Token revoked(long nowMs) {
    return new Token(id, name, sha256, role, names, createdMs, expiresMs, nowMs);
  }

  /** good, expired or revoked. */
  public String state(long nowMs) {
    if (revokedMs > 0) {
      return "revoked";
    }
    return isGood(nowMs) ? "good" : "expired";
  }

  /** Without the hash, which is nobody's business. */
  @Override
  public String toString() {
    return "Token[" + id + ", " + name + ", " + role.word() + ", " + names + "]";
  }
}
