package io.holdfast.api.wire;

import io.holdfast.api.InvalidArgumentException;

/** Bytes that are not what was expected. */
public final class WireException extends InvalidArgumentException {
  private static final long serialVersionUID = 1L;

  public WireException(String message) {
    super(message);
  }
}
