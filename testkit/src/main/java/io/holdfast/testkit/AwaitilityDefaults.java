package io.holdfast.testkit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Sets the default timeout of Awaitility to {@link WaitLimits#EVENT} for every test class.
 *
 * <p>JUnit finds it through {@code META-INF/services}, in each module that has the test kit on its
 * test class path.
 */
public final class AwaitilityDefaults implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(WaitLimits.EVENT);
  }
}
