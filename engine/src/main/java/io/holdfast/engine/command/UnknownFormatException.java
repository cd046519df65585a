package io.holdfast.engine.command;

/**
 * Something that only another version of Holdfast understands. A node that meets it stops: whatever
 * it did instead, others might do something else.
 */
public final class UnknownFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnknownFormatException(String message) {
    super(message);
  }
}
