package io.holdfast.workflow.admin;

import io.holdfast.api.message.MessageState;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.history.TaskKind;
import org.jspecify.annotations.Nullable;

/**
 * Something that a flow has under way.
 *
 * @param number of the event that began it
 * @param name of the activity, event or flow; how long a timer runs
 * @param tag of an activity; empty for none and for what is no activity
 * @param sinceMs when it was begun
 * @param dueMs when a timer is due; 0 for what is no timer
 * @param work an activity as the broker has it; null if it is none, or is done and its answer is on
 *     its way
 * @param flow the id of a flow that is waited for; null if it is none
 * @param flowStatus where that flow stands; null if it is none, or has had no turn yet
 */
public record Waiting(
    long number,
    TaskKind kind,
    String name,
    String tag,
    long sinceMs,
    long dueMs,
    @Nullable Order work,
    @Nullable String flow,
    @Nullable FlowStatus flowStatus) {
  /**
   * An activity that is to be done.
   *
   * @param failures how often it was tried in vain
   * @param deaths how many workers did not come back with an answer
   * @param worker who does it now; null if nobody does
   * @param untilMs until when that worker has it; 0 if nobody has
   * @param againMs when it is tried again; 0 if that is not a matter of time
   * @param error what the last attempt said; null if there was none
   * @param explain where it is, in words
   */
  public record Order(
      MessageState state,
      int failures,
      int deaths,
      @Nullable String worker,
      long untilMs,
      long againMs,
      @Nullable String error,
      String explain) {}
}
