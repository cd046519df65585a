package io.holdfast.browser;import com.microsoft.playwright.options.ColorScheme;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A test of pages, at both widths: one window for each test, on a server that the class has.
 *
 * <p>After each test the page must have had no error, have kept its policy, and be no wider than
 * its window.
 */
@ExtendWith(Chromium.class)
@ParameterizedClass
@EnumSource(Width.class)
abstract class DashboardTest {
  @Parameter Width width = Width.DESKTOP;

  protected Dashboard on;

  /** The server that the class shares. */
  abstract Stage stage();

  @BeforeEach
  void openWindow() {
    on = new Dashboard(stage().port(), width, ColorScheme.LIGHT);
  }

  @AfterEach
  void closeWindow() {
    try {
      on.assertWell();
    } finally {
      on.close();
    }
  }

  /** A name that no other test has, also not at the other width. */
  String named(String name) {
    return name + "-" + width.name().toLowerCase(Locale.ROOT);
  }
}
