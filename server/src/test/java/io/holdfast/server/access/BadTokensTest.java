package io.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How often bad tokens of an address are logged. */
class BadTokensTest {
  private final ManualClock clock = new ManualClock();
  private final BadTokens bad = new BadTokens(clock);

  @Test
  void shouldLogAnAddressOnceAMinute() {
    assertThat(bad.isWorthALine("192.0.2.1")).isTrue();
    clock.advance(Duration.ofSeconds(59));
    assertThat(bad.isWorthALine("192.0.2.1")).isFalse();
    assertThat(bad.isWorthALine("192.0.2.2")).isTrue();
    clock.advance(Duration.ofSeconds(1));
    assertThat(bad.isWorthALine("192.0.2.1")).isTrue();
    assertThat(bad.isWorthALine("192.0.2.2")).isFalse();
  }

  @Test
  void shouldRememberABoundedNumberOfAddresses() {
    for (int i = 0; i < BadTokens.ADDRESSES_MAX + 10; i++) {
      assertThat(bad.isWorthALine("address " + i)).isTrue();
    }
    assertThat(bad.addresses()).isEqualTo(BadTokens.ADDRESSES_MAX);
    clock.advance(Duration.ofMinutes(2));
    assertThat(bad.isWorthALine("another")).isTrue();
    assertThat(bad.addresses()).isEqualTo(1);
  }
}
