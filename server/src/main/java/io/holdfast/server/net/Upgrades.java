package io.holdfast.server.net;

import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Exchange;
import io.holdfast.server.http.Peer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/** Changes the protocol of connections whose clients ask for it by the headers of HTTP/1.1. */
final class Upgrades {
  private Upgrades() {}

  /** Whether a request asks for a protocol that its route and the server offer. */
  static boolean isAsked(
      Exchange exchange, Map<String, Function<UpgradedConnection, ChannelHandler>> offered) {
    String protocol = exchange.route().upgrade();
    return protocol != null
        && offered.containsKey(protocol)
        && exchange.head().method().equals("GET")
        && exchange.head().header("Upgrade", "").equalsIgnoreCase(protocol)
        && Stream.of(exchange.head().header("Connection", "").split(","))
            .anyMatch(option -> option.strip().equalsIgnoreCase("upgrade"));
  }

  /** Answers that the protocol changes, and adds the handler of the new one. */
  static UpgradedConnection upgrade(
      Channel channel,
      Exchange exchange,
      Peer peer,
      Deadlines deadlines,
      ConnectionSettings settings) {
    String protocol = Objects.requireNonNull(exchange.route().upgrade());
    UpgradedConnection upgraded =
        new UpgradedConnection(
            channel, exchange.pass(), exchange.admission(), peer, deadlines, settings.traffic());
    ChannelHandler handler =
        Objects.requireNonNull(settings.upgrades().get(protocol)).apply(upgraded);
    var _ = channel.writeAndFlush(Responses.switching(protocol), channel.voidPromise());
    exchange.sent(Answer.switchingProtocols());
    exchange.close();
    channel.pipeline().addLast(handler);
    // Other protocols have no use for a client that reads and does not send.
    channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, false);
    return upgraded;
  }
}
