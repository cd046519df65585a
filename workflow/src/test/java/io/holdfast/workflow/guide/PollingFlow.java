package io.holdfast.workflow.guide;

import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Retry;
import java.time.Duration;

/** Asks something that cannot tell by itself, less and less often. */
final class PollingFlow {
  /**
   * A job somewhere else, and how long to wait before it is asked about again.
   *
   * @param pauseMs in milliseconds
   */
  record Poll(String job, long pauseMs) {}

  static final Activity<String, String> CHECK =
      Activity.named("check", String.class, String.class, job -> job + " done");

  private static final long LONGEST_MS = Duration.ofHours(1).toMillis();

  static final Orchestration<Poll, String> POLLING =
      Orchestration.named(
          "polling",
          Poll.class,
          String.class,
          (flow, poll) -> {
            long pauseMs = poll.pauseMs();
            while (true) {
              String state = flow.call(CHECK, poll.job(), Retry.times(5)).await();
              if (state.endsWith("done")) {
                return state;
              }
              flow.sleep(Duration.ofMillis(pauseMs));
              pauseMs = Math.min(LONGEST_MS, 2 * pauseMs);
              if (flow.historySize() > 50) {
                return flow.continueAsNew(new Poll(poll.job(), pauseMs));
              }
            }
          });

  private PollingFlow() {}
}
