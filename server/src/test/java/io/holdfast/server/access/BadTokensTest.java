package io.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.access.BadTokens.Verdict;
import io.holdfast.testkit.ManualClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How often an address may show bad tokens. */
class BadTokensTest {
  private final ManualClock clock = new ManualClock();
  private final BadTokens bad = new BadTokens(clock);

  private static SocketAddress at(String address) {
    try {
      return new InetSocketAddress(InetAddress.getByName(address), 4711);
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private Verdict countToLimit(String address) {
    Verdict verdict = bad.count(at(address));
    for (int i = 1; i < BadTokens.PER_MINUTE; i++) {
      verdict = bad.count(at(address));
    }
    return verdict;
  }

  @Test
  void shouldLimitAnAddressForAMinute() {
    assertThat(bad.count(at("192.0.2.1"))).isEqualTo(Verdict.FIRST);
    for (int i = 2; i <= 10; i++) {
      assertThat(bad.count(at("192.0.2.1"))).isEqualTo(Verdict.FURTHER);
    }
    assertThat(bad.count(at("192.0.2.1"))).isEqualTo(Verdict.LIMIT_REACHED);
    assertThat(bad.count(at("192.0.2.1"))).isEqualTo(Verdict.LIMITED);
    assertThat(bad.count(at("192.0.2.2"))).as("another address").isEqualTo(Verdict.FIRST);
    clock.advance(Duration.ofSeconds(20));
    assertThat(bad.retryAfterSeconds(at("192.0.2.1"))).isBetween(40, 41);
    assertThat(bad.count(at("192.0.2.1"))).isEqualTo(Verdict.LIMITED);
    clock.advance(Duration.ofSeconds(40));
    assertThat(bad.count(at("192.0.2.1"))).isEqualTo(Verdict.FIRST);
    assertThat(bad.refused()).isEqualTo(12);
    assertThat(bad.limited()).isEqualTo(3);
  }

  @Test
  void shouldTakeANetworkOfTheNewerKindForOne() {
    countToLimit("2001:db8::1");
    assertThat(bad.count(at("2001:db8::ffff"))).isEqualTo(Verdict.LIMIT_REACHED);
    assertThat(bad.count(at("2001:db8:0:1::1"))).isEqualTo(Verdict.FIRST);
  }

  @Test
  void shouldRememberABoundedNumberOfAddresses() {
    countToLimit("198.51.100.1");
    for (int i = 0; i < BadTokens.ADDRESSES_MAX + 10; i++) {
      bad.count(at("10.1." + (i >> 8) + "." + (i & 255)));
    }
    assertThat(bad.addresses()).isEqualTo(BadTokens.ADDRESSES_MAX);
    clock.advance(Duration.ofMinutes(2));
    bad.count(null);
    assertThat(bad.addresses()).isEqualTo(1);
  }
}
