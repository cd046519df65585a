package io.holdfast.api.wire;

/** Bytes that are not what was expected. */
public final class WireException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public WireException(String message) {
    super(message);
  }
}
