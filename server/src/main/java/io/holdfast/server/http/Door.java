package io.holdfast.server.http;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Lets callers in, or does not. */
public interface Door {
  /**
   * Lets somebody in to a route.
   *
   * @param shown what the request shows
   * @param address where the request comes from; null if that is not known
   * @throws Problem if the caller is not known, or not allowed to
   */
  Pass admit(Route route, Shown shown, @Nullable SocketAddress address);
}
