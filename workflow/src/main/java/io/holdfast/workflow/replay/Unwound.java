package io.holdfast.workflow.replay;

/** Ends a thread that the JVM would keep for ever; see {@link Collectable}. */
final class Unwound extends Error {
  private static final long serialVersionUID = 1L;

  Unwound() {
    super("this flow was put away; its code must not go on", null, false, false);
  }
}
