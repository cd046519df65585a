package io.holdfast.server.access;

import org.jspecify.annotations.Nullable;

/** The file of tokens cannot be read or written; the message says why and what to do. */
public final class TokensException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TokensException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
