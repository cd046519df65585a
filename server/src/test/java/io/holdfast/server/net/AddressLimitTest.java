package io.holdfast.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.http.TrustedProxies;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How many connections one address may have. */
class AddressLimitTest {
  private final AddressLimit limit = new AddressLimit(2, TrustedProxies.of(List.of("10.9.0.0/16")));

  private static InetSocketAddress peer(String address, int port) {
    return new InetSocketAddress(InetAddress.ofLiteral(address), port);
  }

  @Test
  void shouldCountTheConnectionsOfEachAddress() {
    // given
    assertThat(limit.enter(peer("192.0.2.1", 1))).isTrue();
    assertThat(limit.enter(peer("192.0.2.1", 2))).isTrue();
    // then
    assertThat(limit.enter(peer("192.0.2.1", 3))).isFalse();
    assertThat(limit.enter(peer("192.0.2.2", 1))).as("another").isTrue();
    // when
    limit.leave(peer("192.0.2.1", 1));
    // then
    assertThat(limit.enter(peer("192.0.2.1", 4))).isTrue();
    assertThat(limit.enter(peer("192.0.2.1", 5))).isFalse();
  }

  @Test
  void shouldForgetAddressesWithoutConnections() {
    // given
    limit.enter(peer("192.0.2.1", 1));
    limit.enter(peer("2001:db8::1", 1));
    assertThat(limit.addresses()).isEqualTo(2);
    // when
    limit.leave(peer("192.0.2.1", 1));
    limit.leave(peer("2001:db8::1", 1));
    // then
    assertThat(limit.addresses()).isZero();
  }

  @Test
  void shouldNotLimitThisMachineAndTrustedProxies() {
    for (int i = 1; i < 10; i++) {
      assertThat(limit.enter(peer("127.0.0.1", i))).isTrue();
      assertThat(limit.enter(peer("::1", i))).isTrue();
      assertThat(limit.enter(peer("10.9.8.7", i))).isTrue();
    }
    assertThat(limit.addresses()).isZero();
  }
}
