package io.holdfast.api;

/**
 * A value that no broker accepts. The message begins with the name of the field, and says what was
 * expected; it may be shown to whoever sent the value.
 *
 * <p>It is a type of its own, so that a server can tell a bad request from a failure of its own
 * code, which throws other kinds of {@link IllegalArgumentException}.
 */
public class InvalidArgumentException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public InvalidArgumentException(String message) {
    super(message);
  }

  public InvalidArgumentException(String message, Throwable cause) {
    super(message, cause);
  }
}
