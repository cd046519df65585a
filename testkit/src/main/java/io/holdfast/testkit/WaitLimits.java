package io.holdfast.testkit;

import java.time.Duration;

/**
 * How long tests wait at most before they fail.
 *
 * <p>A test that passes ends as soon as the event has happened, so a long limit costs nothing. The
 * limits allow for a machine whose cores are busy with other work.
 */
public final class WaitLimits {
  /** For an event inside the test's own process. It is also the default of Awaitility. */
  public static final Duration EVENT = Duration.ofSeconds(60);

  /** For the end of a workload, and for a child process to start or to end. */
  public static final Duration WORKLOAD = Duration.ofMinutes(5);

  /** For a whole test, in seconds: for {@code @Timeout}, which accepts constants only. */
  public static final int TEST_SECONDS = 900;

  private WaitLimits() {}
}
