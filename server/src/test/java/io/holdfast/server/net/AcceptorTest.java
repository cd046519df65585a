package io.holdfast.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.http.HangUp;
import io.holdfast.server.http.Traffic;
import io.holdfast.server.http.TrustedProxies;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.junit.jupiter.api.Test;

/** Which connections are accepted. */
class AcceptorTest {
  private final Traffic traffic = new Traffic();
  private final EmbeddedChannel listening =
      new EmbeddedChannel(new Acceptor(100, new AddressLimit(2, TrustedProxies.NONE), traffic));

  /** A connection from an address. */
  private static final class From extends EmbeddedChannel {
    private final String address;

    From(String address) {
      this.address = address;
    }

    @Override
    public SocketAddress remoteAddress() {
      return new InetSocketAddress(InetAddress.ofLiteral(address), 1);
    }
  }

  private Channel connect(String address) {
    Channel connection = new From(address);
    listening.writeInbound(connection);
    return connection;
  }

  @Test
  void shouldCloseConnectionsOfAnAddressThatHasAsManyAsItMay() {
    // given
    Channel first = connect("192.0.2.1");
    Channel second = connect("192.0.2.1");
    // when
    Channel third = connect("192.0.2.1");
    Channel other = connect("192.0.2.2");
    // then
    assertThat(third.isOpen()).isFalse();
    assertThat(first.isOpen() && second.isOpen() && other.isOpen()).isTrue();
    assertThat(traffic.connections()).isEqualTo(3);
    assertThat(traffic.hangUps(HangUp.ADDRESS_LIMIT)).isOne();
    // when
    var _ = first.close();
    // then
    assertThat(connect("192.0.2.1").isOpen()).isTrue();
    assertThat(traffic.connections()).isEqualTo(3);
  }
}
