package io.holdfast.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.Playwright.CreateOptions;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The one browser of all tests, which is the system's own Chromium.
 *
 * <p>Where there is none, tests are skipped with a sentence that says so. {@code HOLDFAST_BROWSER}
 * names one that is not on the PATH.
 *
 * <p>Thread: that of the tests; Playwright allows no other.
 */
final class Chromium implements ExecutionCondition {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  private static final String MISSING =
      "The dashboard was not tried in a browser: none of "
          + NAMES
          + " is on the PATH, and HOLDFAST_BROWSER names none. To do: install Chromium with the"
          + " system's package manager.";

  private static @Nullable Browser browser;

  /** Starts it when it is first wanted; it ends with this JVM. */
  static synchronized Browser get() {
    Browser known = browser;
    if (known == null) {
      known = launch(executable().orElseThrow(() -> new IllegalStateException(MISSING)));
      browser = known;
    }
    return known;
  }

  private static Browser launch(Path executable) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    Playwright playwright = Playwright.create(new CreateOptions().setEnv(environment));
    // It shows pages of this very test only, and its sandbox does not work for root.
    return playwright
        .chromium()
        .launch(
            new LaunchOptions()
                .setExecutablePath(executable)
                .setChromiumSandbox(false)
                .setArgs(List.of("--disable-dev-shm-usage")));
  }

  private static Optional<Path> executable() {
    String named = System.getenv("HOLDFAST_BROWSER");
    if (named != null && !named.isEmpty()) {
      return Optional.of(Path.of(named)).filter(Files::isExecutable);
    }
    List<String> folders =
        List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator));
    return NAMES.stream()
        .flatMap(name -> folders.stream().map(folder -> Path.of(folder, name)))
        .flatMap(file -> Files.isExecutable(file) ? Stream.of(file) : Stream.empty())
        .findFirst();
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return executable()
        .map(file -> ConditionEvaluationResult.enabled("There is " + file))
        .orElseGet(() -> ConditionEvaluationResult.disabled(MISSING));
  }
}
