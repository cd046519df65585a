package io.holdfast.server.net;

import io.holdfast.server.http.TrustedProxies;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * How many connections come from each address, and how many may. This machine and trusted proxies
 * may have as many as they like.
 *
 * <p>Thread: any.
 */
public final class AddressLimit {
  private final int max;
  private final TrustedProxies proxies;
  private final ConcurrentMap<InetAddress, Integer> counts = new ConcurrentHashMap<>();

  public AddressLimit(int max, TrustedProxies proxies) {
    this.max = max;
    this.proxies = proxies;
  }

  /** Counts a connection, unless its address has as many as it may: then it is to be closed. */
  boolean enter(SocketAddress peer) {
    if (!isLimited(peer)) {
      return true;
    }
    InetAddress address = ((InetSocketAddress) peer).getAddress();
    if (counts.merge(address, 1, Integer::sum) <= max) {
      return true;
    }
    leave(peer);
    return false;
  }

  /** A connection that was counted is closed. */
  void leave(SocketAddress peer) {
    if (isLimited(peer)) {
      counts.computeIfPresent(
          ((InetSocketAddress) peer).getAddress(),
          (address, count) -> count == 1 ? null : count - 1);
    }
  }

  private boolean isLimited(SocketAddress peer) {
    return peer instanceof InetSocketAddress inet
        && inet.getAddress() != null
        && !inet.getAddress().isLoopbackAddress()
        && !proxies.trusts(peer);
  }

  /** How many addresses have connections that are counted. */
  int addresses() {
    return counts.size();
  }
}
