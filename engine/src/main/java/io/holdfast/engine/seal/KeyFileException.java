package io.holdfast.engine.seal;

import org.jspecify.annotations.Nullable;

/** A key file that cannot be used; the message says what is wrong and what to do. */
public final class KeyFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  KeyFileException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
