package io.holdfast.server.net;

import io.holdfast.server.http.Dispatcher;
import io.holdfast.server.http.Parked;
import io.holdfast.server.http.Patience;
import io.netty.channel.ChannelHandler;
import java.util.Map;
import java.util.function.Function;

/**
 * What all connections of a server have in common.
 *
 * @param connectionsMax most connections at once
 * @param upgrades the protocols that connections may change to, by name, and what handles them
 */
public record ConnectionSettings(
    Dispatcher dispatcher,
    Patience patience,
    int connectionsMax,
    Parked parked,
    Map<String, Function<UpgradedConnection, ChannelHandler>> upgrades) {}
