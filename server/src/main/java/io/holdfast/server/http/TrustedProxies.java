package io.holdfast.server.http;

import io.holdfast.api.InvalidArgumentException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The proxies whose headers about their clients are believed: {@code X-Forwarded-For} and {@code
 * X-Forwarded-Proto}. From all other addresses these headers are ignored.
 */
public final class TrustedProxies {
  /** No proxy is believed. */
  public static final TrustedProxies NONE = new TrustedProxies(List.of());

  /** Only addresses: a name would be looked up. */
  private static final Pattern ADDRESS =
      Pattern.compile("[0-9.]{7,15}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  /** Addresses that begin with the same bits. */
  private record Network(byte[] address, int bits) {
    boolean contains(byte[] other) {
      return other.length == address.length
          && new BigInteger(1, address)
                  .xor(new BigInteger(1, other))
                  .shiftRight(address.length * 8 - bits)
                  .signum()
              == 0;
    }
  }

  private final List<Network> networks;

  private TrustedProxies(List<Network> networks) {
    this.networks = List.copyOf(networks);
  }

  /**
   * The proxies at some addresses.
   *
   * @param texts addresses, or networks such as {@code 10.0.0.0/8}
   * @throws InvalidArgumentException if one is neither
   */
  public static TrustedProxies of(List<String> texts) {
    return new TrustedProxies(texts.stream().map(text -> network(text.strip())).toList());
  }

  private static Network network(String text) {
    int slash = text.indexOf('/');
    InetAddress address = address(slash < 0 ? text : text.substring(0, slash));
    String bits = slash < 0 ? "" : text.substring(slash + 1);
    int length = address == null ? 0 : address.getAddress().length * 8;
    int number = slash < 0 ? length : bits.matches("[0-9]{1,3}") ? Integer.parseInt(bits) : -1;
    if (address == null || number < 0 || number > length) {
      throw new InvalidArgumentException(
          "trustedProxies: expected addresses or networks such as 10.0.0.0/8, but got " + text);
    }
    return new Network(address.getAddress(), number);
  }

  /** An address in digits; null if it is none. */
  private static @Nullable InetAddress address(String text) {
    try {
      return ADDRESS.matcher(text).matches() ? InetAddress.ofLiteral(text) : null;
    } catch (IllegalArgumentException notOne) {
      return null;
    }
  }

  /** Whether the headers of a peer are believed. */
  public boolean trusts(@Nullable SocketAddress peer) {
    return !networks.isEmpty()
        && peer instanceof InetSocketAddress inet
        && inet.getAddress() != null
        && trusts(inet.getAddress());
  }

  private boolean trusts(InetAddress address) {
    byte[] bytes = address.getAddress();
    return networks.stream().anyMatch(network -> network.contains(bytes));
  }

  /**
   * The address of the client that a request comes from: the last one that no trusted proxy has.
   * Each proxy adds the address of its own peer at the end, and what stands before is only claimed.
   */
  @Nullable SocketAddress client(@Nullable SocketAddress peer, RequestHead head) {
    if (!trusts(peer)) {
      return peer;
    }
    SocketAddress client = peer;
    for (String text : head.listed("X-Forwarded-For").toList().reversed()) {
      InetAddress address = address(text);
      if (address == null) {
        return client;
      }
      client = new InetSocketAddress(address, 0);
      if (!trusts(address)) {
        return client;
      }
    }
    return client;
  }

  /** Whether the client, or a trusted proxy for it, speaks TLS. */
  boolean isSecure(@Nullable SocketAddress peer, RequestHead head, boolean secure) {
    return secure
        || (trusts(peer)
            && head.listed("X-Forwarded-Proto")
                .reduce("", (before, last) -> last)
                .equalsIgnoreCase("https"));
  }
}
