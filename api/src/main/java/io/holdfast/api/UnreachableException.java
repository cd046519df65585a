package io.holdfast.api;

/**
 * A broker that could not be asked, or whose answer did not come.
 *
 * <p>Only a broker in another process throws it; it has then tried again as often as it may.
 */
public final class UnreachableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean inDoubt;

  /**
   * @param inDoubt whether the request was sent, so that it may have had its effect
   */
  public UnreachableException(String message, boolean inDoubt, Throwable cause) {
    super(message, cause);
    this.inDoubt = inDoubt;
  }

  /** Whether the request may have had its effect; otherwise it surely had none. */
  public boolean isInDoubt() {
    return inDoubt;
  }
}
