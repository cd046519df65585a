package io.holdfast.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.SameSiteAttribute;
import io.holdfast.api.TimeSource;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.access.NamePatterns;
import io.holdfast.server.access.Role;
import io.holdfast.server.access.TokenFile;
import io.holdfast.server.access.TokenWish;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Browsers sign in with a token, see what its role may do, and are sent back when it is over. */
class SignedInTest extends DashboardTest {
  @TempDir private static Path temp;
  private static final AtomicLong AHEAD_MS = new AtomicLong();

  /** The system's time, or some hours later. */
  private static final TimeSource TIME =
      new TimeSource() {
        @Override
        public long wallMs() {
          return SYSTEM.wallMs() + AHEAD_MS.get();
        }

        @Override
        public long nanos() {
          return SYSTEM.nanos();
        }

        @Override
        public void parkUntil(long deadlineNanos) {
          SYSTEM.parkUntil(deadlineNanos);
        }
      };

  private static TokenFile file;
  private static Stage stage;

  @BeforeAll
  static void start() {
    file = new TokenFile(temp.resolve("tokens"));
    make("first", Role.ADMIN, "*");
    stage = new Stage(ServerConfig.defaults().tokens(file.path()), TIME);
    stage.bury("orders", "billing", "{\"order\":1}", "no account");
    stage.push("mail", "1");
  }

  @AfterAll
  static void stop() {
    stage.close();
  }

  @Override
  Stage stage() {
    return stage;
  }

  @Override
  boolean needsNewPage() {
    return true;
  }

  private static TokenFile.Made make(String name, Role role, String... queues) {
    return file.create(
        new TokenWish(name, role, NamePatterns.of(List.of(queues)), 0), TIME.wallMs());
  }

  private TokenFile.Made signIn(Role role, String place, String... queues) {
    TokenFile.Made made =
        make(named("of-" + role), role, queues.length == 0 ? new String[] {"*"} : queues);
    on.open(place);
    on.fill("token", made.text());
    // The server looks at the file once a second.
    Assertions.assertThat(made.text()).startsWith("hf_");
    Awaitility.await()
        .pollInSameThread()
        .until(
            () -> {
              if (on.the("sign-in").isVisible()) {
                on.page.keyboard().press("Enter");
                on.page.waitForTimeout(200);
              }
              return on.the("who").isVisible();
            });
    return made;
  }

  @Test
  void shouldSayThatATokenIsWrong() {
    on.open("queues");
    assertThat(on.the("sign-in")).isDisabled();
    on.fill("token", "hf_nothing_like_it");
    on.click("sign-in");
    assertThat(on.the("problem")).containsText("unknown, malformed, expired or revoked");
  }

  @Test
  void shouldGoWhereOneWantedToAndStaySignedIn() {
    // when
    signIn(Role.ADMIN, "queues/mail");
    // then
    on.hasTitle("mail");
    assertThat(on.the("who")).containsText("admin");
    Cookie cookie = on.context().cookies().getFirst();
    Assertions.assertThat(cookie.name).startsWith("holdfast_session_");
    Assertions.assertThat(cookie.httpOnly).isTrue();
    Assertions.assertThat(cookie.sameSite).isEqualTo(SameSiteAttribute.STRICT);
    Assertions.assertThat(on.page.evaluate("JSON.stringify(localStorage) + document.cookie"))
        .asString()
        .doesNotContain("hf_");
    // when
    on.page.reload();
    // then
    on.hasTitle("mail");
    assertThat(on.the("live")).hasAttribute("data-state", "live");
  }

  @Test
  void shouldSignOut() {
    // given
    signIn(Role.ADMIN, "");
    // when
    on.click("sign-out");
    // then
    assertThat(on.the("token")).isVisible();
    Assertions.assertThat(on.context().cookies()).isEmpty();
    on.page.reload();
    assertThat(on.the("token")).isVisible();
    assertThat(on.page.locator("body")).not().containsText("Your session has ended");
  }

  @Test
  void shouldOfferOnlyWhatARoleMayDo() {
    // given
    signIn(Role.READ_ONLY, "queues/orders");
    // then
    assertThat(on.the("push-message")).isDisabled();
    assertThat(on.the("pause-queue")).isDisabled();
    assertThat(on.the("push-message")).containsText("Your role (read-only) does not allow this");
    on.open("dead");
    assertThat(on.the("dead-row").locator("[data-test='requeue']")).isDisabled();
    on.open("system");
    assertThat(on.the("switch-push")).isDisabled();
    assertThat(on.the("tokens")).hasCount(0);
  }

  @Test
  void shouldLetThoseWhoConsumeRequeueButNotRemove() {
    signIn(Role.READ_WRITE, "dead?queue=orders");
    assertThat(on.the("dead-row").locator("[data-test='requeue']")).isEnabled();
    assertThat(on.the("remove-all")).isDisabled();
  }

  @Test
  void shouldTellThoseWhoMayOnlyPushThatThereIsNothingToSee() {
    signIn(Role.WRITE_ONLY, "queues");
    assertThat(on.the("blind")).containsText("it needs read access");
  }

  @Test
  void shouldShowALimitedTokenItsQueues() {
    // when
    signIn(Role.READ_WRITE, "queues", "ord*");
    // then
    assertThat(on.the("queue-row")).hasCount(1);
    assertThat(on.the("queue-row")).containsText("orders");
    // when
    on.open("queues/mail");
    // then
    assertThat(on.the("problem")).containsText("not for the queue mail");
    assertThat(on.the("live")).hasAttribute("data-state", "live");
  }

  @Test
  void shouldAskAgainWhenTheTokenIsRevoked() {
    // given
    TokenFile.Made made = signIn(Role.READ_WRITE, "queues/mail");
    on.click("push-message");
    assertThat(on.the("dialog")).isVisible();
    // when
    file.revoke(made.token().id(), TIME.wallMs());
    // then
    assertThat(on.the("token")).isVisible();
    assertThat(on.page.locator("body")).containsText("Your session has ended");
    assertThat(on.the("dialog")).hasCount(0);
  }

  @Test
  void shouldAskAgainAfterTwelveHours() {
    // given
    signIn(Role.ADMIN, "queues");
    assertThat(on.the("queue-row")).hasCount(2);
    // when
    AHEAD_MS.addAndGet(Duration.ofHours(13).toMillis());
    // then
    assertThat(on.the("token")).isVisible();
    assertThat(on.page.locator("body")).containsText("12 hours have passed");
  }

  @Test
  void shouldMakeATokenShowItOnceAndRevokeIt() {
    // given
    signIn(Role.ADMIN, "system");
    String name = named("reader");
    // when
    on.click("create-token");
    on.fill("token-name", name);
    on.the("role-read-write").check();
    on.fill("token-queues", "orders.*");
    on.submit();
    // then
    assertThat(on.the("token-text")).containsText("hf_");
    on.click("dialog-cancel");
    assertThat(on.the("token-row", name)).containsText("orders.*");
    assertThat(on.page.locator("body")).not().containsText("hf_");
    // when
    on.the("token-row", name).locator("[data-test='revoke-token']").click();
    on.submit();
    // then
    on.said("is revoked");
    assertThat(on.the("token-row", name)).containsText("Revoked");
  }

  @Test
  void shouldStopPushesAndTakeThemAgain() {
    // given
    signIn(Role.ADMIN, "system");
    assertThat(on.the("section-limits")).isVisible();
    assertThat(on.page.locator("a[href='/openapi.json']")).isVisible();
    // when
    on.click("switch-push");
    on.submit();
    // then
    assertThat(on.the("maintenance")).containsText("Accept pushes again");
    // when
    on.click("switch-push");
    on.submit();
    // then
    assertThat(on.the("maintenance")).containsText("Stop pushes");
  }
}
