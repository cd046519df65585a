package io.holdfast.workflow;

import org.jspecify.annotations.Nullable;

/**
 * A flow whose history was checked against code.
 *
 * @param version the version of its code; null before its first turn if none was asked for
 * @param words what is wrong, with a diff if the code differs; empty if nothing is
 */
public record Verified(
    String id,
    String name,
    @Nullable String version,
    FlowStatus status,
    Verdict verdict,
    String words) {
  /** How code and history fit. */
  public enum Verdict {
    /** The code does what the history says. */
    FINE,
    /** The code does something else: the flow would be blocked. */
    DIFFERS,
    /** There is no code of that name and version. */
    UNKNOWN_CODE,
    /** The history cannot be read. */
    UNREADABLE
  }

  public boolean isFine() {
    return verdict == Verdict.FINE;
  }
}
