package io.holdfast.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import java.util.ArrayList;
import java.util.List;

/**
 * What a page did that it should not have: errors, dialogs of the browser, breaches of its policy.
 *
 * <p>Thread: that of the tests.
 */
final class Watched {
  /** Browsers also tell refused requests as errors; tests say themselves which they expect. */
  private static final String REFUSED = "Failed to load resource";

  private static final String LISTEN =
      """
      window.policyBreaches = [];
      document.addEventListener('securitypolicyviolation',
        (event) => window.policyBreaches.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
      """;

  private final Page page;
  private final List<String> faults = new ArrayList<>();

  Watched(Page page) {
    this.page = page;
    page.addInitScript(LISTEN);
    page.onConsoleMessage(this::told);
    page.onPageError(error -> faults.add("error: " + error));
    page.onDialog(
        dialog -> {
          faults.add("dialog: " + dialog.message());
          dialog.dismiss();
        });
    page.onPopup(popup -> faults.add("popup: " + popup.url()));
  }

  private void told(ConsoleMessage message) {
    boolean bad = message.type().equals("error") || message.type().equals("warning");
    if (bad && !message.text().startsWith(REFUSED)) {
      faults.add(message.type() + ": " + message.text());
    }
  }

  void forget() {
    faults.clear();
  }

  void assertNoFault() {
    assertThat(faults).isEmpty();
    assertThat(page.evaluate("window.policyBreaches ?? []")).isEqualTo(List.of());
  }

  /** Nothing may stick out to the right: nobody finds that. */
  void assertNothingSticksOut() {
    Object over =
        page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth");
    assertThat(over).as("pixels too wide at %s", page.url()).isEqualTo(0);
  }
}
