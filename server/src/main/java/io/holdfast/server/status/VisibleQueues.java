package io.holdfast.server.status;

import io.holdfast.server.access.Caller;
import io.holdfast.server.access.NamePatterns;
import io.holdfast.server.http.Problem;

/**
 * The queues that a caller may see. Two with the same patterns are equal.
 *
 * @param names the queues; if all, also what is about the broker as a whole
 */
public record VisibleQueues(NamePatterns names) {
  /** All queues, and what is about the broker as a whole. */
  public static final VisibleQueues ALL = new VisibleQueues(NamePatterns.ALL);

  public static VisibleQueues of(NamePatterns names) {
    return names.isAll() ? ALL : new VisibleQueues(names);
  }

  /** Those of the caller whose request is being answered. */
  public static VisibleQueues ofCaller() {
    return of(Caller.currentGrant().names());
  }

  public boolean isAll() {
    return names.isAll();
  }

  /**
   * Checks that a queue is among them.
   *
   * @throws Problem if it is not
   */
  public void check(String queue) {
    if (!covers(queue)) {
      throw Problem.forbidden("the token is not for the queue " + queue);
    }
  }

  public boolean covers(String queue) {
    return names.matches(queue);
  }
}
