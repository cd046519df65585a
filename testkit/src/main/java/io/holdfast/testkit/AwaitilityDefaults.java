package io.holdfast.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Sets the defaults of Awaitility for every test class: the timeout to {@link WaitLimits#EVENT},
 * and a first look at once, which is repeated soon, and less often if the event takes long.
 *
 * <p>JUnit finds it through {@code META-INF/services}, in each module that has the test kit on its
 * test class path.
 */
public final class AwaitilityDefaults implements BeforeAllCallback {
  private static final Duration POLL_MIN = Duration.ofMillis(1);
  private static final Duration POLL_MAX = Duration.ofMillis(30);

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(WaitLimits.EVENT);
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval((polls, last) -> nextInterval(last));
  }

  private static Duration nextInterval(Duration last) {
    Duration doubled = last.compareTo(POLL_MIN) < 0 ? POLL_MIN : last.multipliedBy(2);
    return doubled.compareTo(POLL_MAX) > 0 ? POLL_MAX : doubled;
  }
}
