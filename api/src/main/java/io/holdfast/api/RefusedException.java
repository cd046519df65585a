package io.holdfast.api;

/** A {@link Refusal}, thrown where the caller asked for a value or nothing. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Refusal refusal;

  public RefusedException(Refusal refusal) {
    super(refusal.code() + ": " + refusal.detail());
    this.refusal = refusal;
  }

  public Refusal refusal() {
    return refusal;
  }

  public ErrorCode code() {
    return refusal.code();
  }
}
