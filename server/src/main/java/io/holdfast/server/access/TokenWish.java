package io.holdfast.server.access;

import io.holdfast.api.InvalidArgumentException;

/**
 * A token that is to be made.
 *
 * @param expiresMs when it ends; 0 for never
 */
public record TokenWish(String name, Role role, NamePatterns names, long expiresMs) {
  public TokenWish {
    Token.checkName(name);
    if (expiresMs < 0) {
      throw new InvalidArgumentException("expiresAt: expected a time that is to come");
    }
  }
}
