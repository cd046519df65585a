package io.holdfast.browser;

import com.microsoft.playwright.options.ColorScheme;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A test of pages, at both widths, on a server that the class has.
 *
 * <p>After each test the page must have had no error, have kept its policy, and be no wider than
 * its window. The window stays open for the next test, because to load the page takes longer than
 * most tests; after a failure it is opened anew.
 */
@ExtendWith(Chromium.class)
@ParameterizedClass
@EnumSource(Width.class)
abstract class DashboardTest {
  private static @Nullable Dashboard window;

  @Parameter Width width = Width.DESKTOP;

  protected Dashboard on;

  /** The server that the class shares. */
  abstract Stage stage();

  /** Whether each test needs a page that was not opened before, in a browser that is signed out. */
  boolean needsNewPage() {
    return false;
  }

  @BeforeEach
  void openWindow() {
    Dashboard open = window;
    if (open == null || !open.isAt(stage().port(), width)) {
      closeWindow();
      open = new Dashboard(stage().port(), width, ColorScheme.LIGHT);
    } else if (needsNewPage()) {
      open.clear();
    } else {
      open.forget();
    }
    window = null;
    on = open;
  }

  @AfterEach
  void keepWindow() {
    boolean isWell = false;
    try {
      on.assertWell();
      isWell = true;
    } finally {
      if (isWell) {
        window = on;
      } else {
        on.close();
      }
    }
  }

  private static void closeWindow() {
    Dashboard open = window;
    if (open != null) {
      open.close();
      window = null;
    }
  }

  /** A name that no other test has, also not at the other width. */
  String named(String name) {
    return name + "-" + width.name().toLowerCase(Locale.ROOT);
  }
}
