package io.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.testkit.WaitLimits;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which names patterns match. */
class NamePatternsTest {
  @ParameterizedTest
  @CsvSource({
    "orders, orders, true",
    "orders, orders2, false",
    "orders, Orders, false",
    "orders.*, orders.new, true",
    "orders.*, orders., true",
    "orders.*, orders, false",
    "orders.*, ordersXnew, false",
    "*.dead, orders.dead, true",
    "*.dead, dead, false",
    "a*b, ab, true",
    "a*b, aXXb, true",
    "a*b, a, false",
    "ab*ba, aba, false",
    "ab*ba, abba, true",
    "a*b*c, aXbYc, true",
    "a*b*c, acb, false",
    "a**c, abc, true",
    "*, anything, true",
    "***, anything, true",
    "[a-z]+, orders, false",
    "o?ders, orders, false"
  })
  void shouldMatchAsWritten(String pattern, String name, boolean matches) {
    assertThat(NamePatterns.of(List.of(pattern)).matches(name)).isEqualTo(matches);
  }

  @Test
  void shouldMatchWhatOneOfSeveralMatches() {
    NamePatterns patterns = NamePatterns.of(List.of("orders.*", "mail"));
    assertThat(List.of("orders.a", "mail")).allMatch(patterns::matches);
    assertThat(List.of("mails", "order.a", "")).noneMatch(patterns::matches);
    assertThat(patterns.isAll()).isFalse();
    assertThat(NamePatterns.of(List.of("mail", "**")).isAll()).isTrue();
  }

  @Test
  void shouldSayWhatAllItsNamesBeginWith() {
    assertThat(NamePatterns.of(List.of("orders.a.*", "orders.b")).commonPrefix())
        .isEqualTo("orders.");
    assertThat(NamePatterns.of(List.of("orders", "orders.x")).commonPrefix()).isEqualTo("orders");
    assertThat(NamePatterns.of(List.of("orders", "*x")).commonPrefix()).isEmpty();
    assertThat(NamePatterns.of(List.of("a", "b")).commonPrefix()).isEmpty();
  }

  @Test
  void shouldAgreeWithARegularExpression() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      String pattern = text(random, "ab*", 1 + random.nextInt(6));
      String name = text(random, "ab", random.nextInt(8));
      String expression =
          pattern
              .chars()
              .mapToObj(c -> c == '*' ? ".*" : Pattern.quote(Character.toString(c)))
              .collect(Collectors.joining());
      assertThat(NamePatterns.of(List.of(pattern)).matches(name))
          .as("seed %d: %s on %s", seed, pattern, name)
          .isEqualTo(name.matches(expression));
    }
  }

  private static String text(Random random, String letters, int length) {
    return random
        .ints(length, 0, letters.length())
        .mapToObj(at -> letters.substring(at, at + 1))
        .collect(Collectors.joining());
  }

  @Test
  void shouldTakeNoTimeForPatternsMadeToTakeLong() {
    NamePatterns patterns = NamePatterns.of(Collections.nCopies(64, "*a".repeat(127) + "b"));
    String name = "a".repeat(1024);
    // One that tries all ways to match would not end in a lifetime.
    org.junit.jupiter.api.Assertions.assertTimeoutPreemptively(
        WaitLimits.EVENT, () -> assertThat(patterns.matches(name)).isFalse());
  }

  @Test
  void shouldRefuseWhatIsNoPattern() {
    assertThatThrownBy(() -> NamePatterns.of(List.of())).hasMessageContaining("1 to 64");
    assertThatThrownBy(() -> NamePatterns.of(List.of(""))).hasMessageContaining("has 0");
    assertThatThrownBy(() -> NamePatterns.of(List.of("a\nb"))).hasMessageContaining("control");
    assertThatThrownBy(() -> NamePatterns.of(List.of("a".repeat(256))))
        .hasMessageContaining("has 256");
    assertThatThrownBy(() -> NamePatterns.of(Collections.nCopies(65, "a")))
        .hasMessageContaining("got 65");
  }
}
