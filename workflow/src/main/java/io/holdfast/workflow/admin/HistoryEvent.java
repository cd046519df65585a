package io.holdfast.workflow.admin;

import io.holdfast.workflow.Failure;
import org.jspecify.annotations.Nullable;

/**
 * An event of a history, for people.
 *
 * @param number its place, from 0
 * @param kind what it is, in one word; {@link #UNREADABLE} if that cannot be told
 * @param words what happened
 * @param task the task that it is about; -1 if it is about none
 * @param payload the value that it carries, as it is stored; null if it carries none
 * @param json that value as text, if it is JSON
 * @param failure what went wrong; null if nothing did
 * @param voidSince the event with which the flow was retried from here or from before, so that this
 *     one counts no longer; -1 if it counts
 */
public record HistoryEvent(
    long number,
    long timeMs,
    String kind,
    String words,
    long task,
    byte @Nullable [] payload,
    @Nullable String json,
    @Nullable Failure failure,
    long voidSince) {
  /** The kind of an event whose bytes mean nothing to this program. */
  public static final String UNREADABLE = "Unreadable";

  /** Whether it counts no longer, because the flow was retried. */
  public boolean isVoid() {
    return voidSince >= 0;
  }
}
