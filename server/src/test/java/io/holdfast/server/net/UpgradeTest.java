package io.holdfast.server.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.server.http.Access;
import io.holdfast.server.http.HangUp;
import io.holdfast.server.http.Patience;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that change to another protocol. */
class UpgradeTest extends ListenerFixture {
  private static final String ASK = "Connection: keep-alive, Upgrade\r\nUpgrade: echo";
  private static final Duration MOMENT = Duration.ofMillis(500);

  private final List<UpgradedConnection> upgraded = new CopyOnWriteArrayList<>();

  @Override
  protected List<Route> routes() {
    return List.of(
        Route.get("/", Access.READ, "", "", call -> text("<plain>")),
        Route.get(
                "/echo",
                Access.READ,
                "",
                "",
                call -> {
                  throw Problem.of(426, "UPGRADE_REQUIRED", "expected the header Upgrade: echo");
                })
            .upgradingTo("echo"));
  }

  @Override
  protected Patience patience() {
    return super.patience().headAndUnread(MOMENT, MOMENT).rest(MOMENT, Duration.ofMillis(20));
  }

  @Override
  protected Map<String, Function<UpgradedConnection, ChannelHandler>> upgrades() {
    return Map.of("echo", Echo::new);
  }

  /** Sends back what comes; to a bang very much. */
  private final class Echo extends SimpleChannelInboundHandler<ByteBuf> {
    Echo(UpgradedConnection connection) {
      upgraded.add(connection);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
      if (event.equals(UpgradedConnection.DRAINING)) {
        var _ = ctx.writeAndFlush(Unpooled.copiedBuffer("bye", ISO_8859_1));
      }
      super.userEventTriggered(ctx, event);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf bytes) {
      boolean bang = bytes.toString(ISO_8859_1).equals("!");
      var _ =
          ctx.writeAndFlush(bang ? Unpooled.wrappedBuffer(new byte[20_000_000]) : bytes.retain());
    }
  }

  @Test
  void shouldHandAConnectionOver() {
    // given
    Client client = connect();
    assertThat(client.send(get("/")).readTo("<plain>")).contains("200");
    // when
    client.send(head("/echo", ASK));
    // then
    assertThat(client.readTo("\r\n\r\n"))
        .startsWith("HTTP/1.1 101")
        .containsIgnoringCase("connection: upgrade")
        .containsIgnoringCase("upgrade: echo");
    client.send("GET / HTTP/1.1\r\n\r\n");
    assertThat(client.readTo("\r\n\r\n")).isEqualTo("GET / HTTP/1.1\r\n\r\n");
    assertThat(upgraded.getFirst().pass().isGood()).isTrue();
    assertThat(statuses).containsExactly(200, 101);
    assertThat(traffic.running()).isZero();
    assertThat(traffic.connections()).isOne();
    // when
    client.close();
    // then
    await().until(() -> traffic.connections() == 0);
    assertThat(upgraded.getFirst().peer().isGone()).isTrue();
  }

  @Test
  void shouldPassOnWhatWasSentAhead() {
    Client client = connect().send(head("/echo", ASK) + "ahead");
    assertThat(client.readTo("ahead")).startsWith("HTTP/1.1 101");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X: y",
        "Upgrade: echo",
        "Connection: Upgrade\r\nUpgrade: other",
        "Connection: Upgrade"
      })
  void shouldAnswerARequestThatDoesNotAskForIt(String headers) {
    assertThat(connect().send(head("/echo", headers)).readTo("}")).startsWith("HTTP/1.1 426");
  }

  @Test
  void shouldNotUpgradeOtherRoutesNorOtherHosts() {
    assertThat(connect().send(head("/", ASK)).readTo("<plain>")).startsWith("HTTP/1.1 200");
    String evil = head("/echo", ASK).replace("localhost", "evil.example");
    assertThat(connect().send(evil).readTo("}")).startsWith("HTTP/1.1 403");
    assertThat(upgraded).isEmpty();
  }

  /** Often, because it failed once in a hundred times. */
  @RepeatedTest(50)
  void shouldTellThatItDrainsAndCloseWithTheServer() {
    // given
    Client client = connect().send(head("/echo", ASK));
    client.readTo("\r\n\r\n");
    // when
    traffic.drain();
    listener.drain();
    // then
    assertThat(client.readTo("bye")).isEqualTo("bye");
    assertThat(connect().send(head("/echo", ASK)).rest()).startsWith("HTTP/1.1 503");
    // when
    listener.close();
    // then
    assertThat(client.rest()).isEmpty();
  }

  @Test
  void shouldLetItRestButHangUpWhenNobodyReads() {
    // given
    Client rests = connect().send(head("/echo", ASK));
    rests.readTo("\r\n\r\n");
    Client deaf = connect().send(head("/echo", ASK));
    deaf.readTo("\r\n\r\n");
    // when
    deaf.send("!");
    // then
    await().until(() -> traffic.hangUps(HangUp.UNREAD) == 1);
    assertThat(rests.send("still here").readTo("here")).isEqualTo("still here");
  }
}
