package io.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tokens of a server while their file changes. */
class TokensTest {
  @TempDir Path directory;
  private final ManualClock clock = new ManualClock();
  private final AtomicInteger told = new AtomicInteger();
  private TokenFile file;
  private TokenFile.Made made;
  private Tokens tokens;

  @BeforeEach
  void open() {
    file = new TokenFile(directory.resolve("tokens"));
    made = make(0);
    tokens = Tokens.open(file.path(), clock);
    tokens.onChange(told::incrementAndGet);
  }

  private TokenFile.Made make(long expiresMs) {
    TokenWish wish = new TokenWish("a", Role.READ_ONLY, NamePatterns.ALL, expiresMs);
    return file.create(wish, clock.wallMs());
  }

  private @Nullable Grant grant(String text) {
    return tokens.authenticate(text);
  }

  private Grant known(String text) {
    return Objects.requireNonNull(grant(text));
  }

  @Test
  void shouldKnowAGoodTokenAndNoOther() {
    assertThat(grant(made.text()))
        .isEqualTo(new Grant(made.token().id(), "a", Role.READ_ONLY, NamePatterns.ALL));
    String text = made.text();
    char last = text.charAt(text.length() - 1);
    assertThat(grant(text.substring(0, text.length() - 1) + (last == 'A' ? 'E' : 'A'))).isNull();
    assertThat(grant(TokenText.fresh().text())).isNull();
    assertThat(grant(text + "x")).isNull();
    assertThat(grant(text.substring(1))).isNull();
    assertThat(grant("")).isNull();
    // What is stored opens nothing.
    String id = made.token().id();
    assertThat(grant(new TokenText(id, "A".repeat(43)).text())).isNull();
  }

  @Test
  void shouldTakeOverWhatOthersWrite() {
    // when
    TokenFile.Made other = make(0);
    file.revoke(made.token().id(), clock.wallMs());
    assertThat(grant(made.text())).isNotNull();
    Grant before = known(made.text());
    tokens.look();
    // then
    assertThat(grant(made.text())).isNull();
    assertThat(tokens.isGood(before)).isFalse();
    assertThat(grant(other.text())).isNotNull();
    assertThat(told).hasValue(1);
    tokens.look();
    assertThat(told).as("nothing has changed").hasValue(1);
  }

  @Test
  void shouldKeepTheTokensOfAFileThatIsDamagedOrGone() throws IOException {
    byte[] whole = Files.readAllBytes(file.path());
    for (String damage : new String[] {"{\"format\":1,\"tok", ""}) {
      Files.writeString(file.path(), damage);
      tokens.look();
      assertThat(grant(made.text())).isNotNull();
    }
    Files.delete(file.path());
    tokens.look();
    assertThat(grant(made.text())).isNotNull();
    assertThat(told).hasValue(0);
    // when
    Files.write(file.path(), whole);
    file.revoke(made.token().id(), clock.wallMs());
    tokens.look();
    // then
    assertThat(grant(made.text())).isNull();
  }

  @Test
  void shouldTryAgainWhatItMayNotReadUntilItMay() throws IOException {
    // given
    file.revoke(made.token().id(), clock.wallMs());
    Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString("rw-rw----"));
    tokens.look();
    assertThat(grant(made.text())).isNotNull();
    // when
    Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString("rw-------"));
    tokens.look();
    // then
    assertThat(grant(made.text())).isNull();
    assertThat(told).hasValue(1);
  }

  @Test
  void shouldTellWhenATokenExpires() {
    // given
    TokenFile.Made brief = make(clock.wallMs() + 1_000);
    tokens.look();
    Grant grant = known(brief.text());
    assertThat(tokens.isGood(grant)).isTrue();
    told.set(0);
    // when
    clock.advance(Duration.ofMillis(999));
    tokens.look();
    assertThat(told).hasValue(0);
    clock.advance(Duration.ofMillis(1));
    tokens.look();
    // then
    assertThat(told).hasValue(1);
    assertThat(tokens.isGood(grant)).isFalse();
    assertThat(grant(brief.text())).isNull();
  }

  @Test
  void shouldNotHoldAGrantThatWasChanged() throws IOException {
    Grant before = known(made.text());
    Files.writeString(
        file.path(), Files.readString(file.path()).replace("read-only", "write-only"));
    tokens.look();
    assertThat(tokens.isGood(before)).isFalse();
    assertThat(known(made.text()).role()).isEqualTo(Role.WRITE_ONLY);
  }
}
