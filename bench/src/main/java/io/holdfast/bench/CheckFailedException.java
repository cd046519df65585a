package io.holdfast.bench;

/** A broker that did something else than it promised, seen while it was measured. */
public final class CheckFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CheckFailedException(String message) {
    super(message);
  }

  /** Throws unless two counts are the same. */
  public static void expectEqual(String what, long expected, long actual) {
    if (expected != actual) {
      throw new CheckFailedException(what + ": expected " + expected + ", but got " + actual);
    }
  }
}
