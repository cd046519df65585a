package io.holdfast.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Locator.FilterOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.RequestOptions;

/**
 * A page of a dashboard in the browser, with the steps that most stories are made of.
 *
 * <p>Thread: that of the tests.
 */
final class Dashboard implements AutoCloseable {
  private static final int PATIENCE_MS = 60_000;
  private static final String TWO_FRAMES =
      "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

  final Page page;
  private final BrowserContext context;
  private final Watched watched;
  private final String url;

  Dashboard(int port, Width width, ColorScheme scheme) {
    url = "http://127.0.0.1:" + port + "/";
    context =
        Chromium.get()
            .newContext(
                new NewContextOptions()
                    .setViewportSize(width.wide, width.high)
                    .setColorScheme(scheme)
                    .setTimezoneId("UTC")
                    .setLocale("en-GB"));
    context.setDefaultTimeout(PATIENCE_MS);
    PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MS);
    page = context.newPage();
    watched = new Watched(page);
  }

  boolean isAt(int port, Width width) {
    return url.equals("http://127.0.0.1:" + port + "/") && page.viewportSize().width == width.wide;
  }

  /** Takes away what the last test left in front of the page. */
  void forget() {
    page.evaluate(
        "document.querySelectorAll('dialog[open]').forEach((box) => box.close());"
            + "const toasts = document.querySelector('hf-toasts'); if (toasts) toasts.all = [];");
    watched.forget();
  }

  /** Leaves the page, and removes what the browser has stored for it, except for cached files. */
  void clear() {
    page.evaluate("localStorage.clear(); sessionStorage.clear();");
    context.clearCookies();
    page.navigate("about:blank");
    watched.forget();
  }

  BrowserContext context() {
    return context;
  }

  /**
   * Goes to a place such as {@code queues/orders?tab=messages}, and waits until the page has
   * noticed: until then it shows rows of the last place that can still be clicked.
   */
  Dashboard open(String place) {
    page.navigate(url + "#/" + place);
    page.evaluate(TWO_FRAMES);
    return this;
  }

  /** Sends a request to the server, as a program would. */
  void post(String path, String json) {
    APIResponse response =
        context
            .request()
            .post(
                url + path,
                RequestOptions.create()
                    .setHeader("Content-Type", "application/json")
                    .setData(json.replace('\'', '"')));
    org.assertj.core.api.Assertions.assertThat(response.ok()).as(response.text()).isTrue();
  }

  /** What has this data-test. */
  Locator the(String test) {
    return page.locator("[data-test='" + test + "']");
  }

  /** What has this data-test and this text in it. */
  Locator the(String test, String text) {
    return the(test).filter(new FilterOptions().setHasText(text));
  }

  Locator button(String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  void click(String test) {
    the(test).click();
  }

  void fill(String test, String text) {
    the(test).fill(text);
  }

  /** Opens the menu of a row and takes an act of it. */
  void act(Locator row, String test) {
    row.locator("[data-test='menu']").click();
    row.locator("[data-test='" + test + "']").click();
  }

  /** Does what the dialog asks about. */
  void submit() {
    click("dialog-submit");
  }

  /** Types the name that a dialog wants to be sure, and does it. */
  void submitSure(String name) {
    assertThat(the("dialog-submit")).isDisabled();
    fill("confirm-name", name);
    submit();
  }

  /** The page says that something was done. */
  void said(String text) {
    assertThat(the("toast", text)).isVisible();
  }

  void hasTitle(String text) {
    assertThat(page.locator("main h1")).containsText(text);
  }

  void assertWell() {
    watched.assertNoFault();
    watched.assertNothingSticksOut();
  }

  @Override
  public void close() {
    context.close();
  }
}
