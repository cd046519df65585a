package io.holdfast.workflow.admin;

/**
 * How flows are deleted.
 *
 * @param cascade those that they started and waited for are deleted as well
 * @param force flows that have not ended are deleted as well, and what they have under way is
 *     stopped
 */
public record DeleteOptions(boolean cascade, boolean force) {
  /** Only flows that have ended and on which no other hangs. */
  public static final DeleteOptions CAREFUL = new DeleteOptions(false, false);

  /** Only flows that have ended, with all that hang on them. */
  public static final DeleteOptions WITH_CHILDREN = new DeleteOptions(true, false);

  /** Whatever they are. */
  public static final DeleteOptions FORCED = new DeleteOptions(true, true);
}
