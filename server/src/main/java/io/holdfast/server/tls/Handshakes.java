package io.holdfast.server.tls;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections whose handshake has begun and not ended: who takes too long is cut off.
 *
 * <p>The web server waits for a handshake without end, and such a connection takes the place of
 * another.
 *
 * <p>Thread: any.
 */
final class Handshakes {
  private static final Logger LOG = LoggerFactory.getLogger(Handshakes.class);

  private record Begun(Socket socket, long nanos) {}

  private final Duration most;
  private final ConcurrentMap<SocketAddress, Begun> begun = new ConcurrentHashMap<>();

  Handshakes(Duration most) {
    this.most = most;
  }

  void begin(Socket socket) {
    SocketAddress address = socket.getRemoteSocketAddress();
    if (address != null) {
      begun.put(address, new Begun(socket, System.nanoTime()));
    }
  }

  void ended(SocketAddress address) {
    begun.remove(address);
  }

  /** Cuts off those who take too long, and forgets those who are gone. */
  void look() {
    long now = System.nanoTime();
    begun
        .entrySet()
        .removeIf(
            entry -> {
              Begun one = entry.getValue();
              boolean late = now - one.nanos() > most.toNanos();
              if (late) {
                close(one.socket());
              }
              return late || one.socket().isClosed();
            });
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException closed) {
      LOG.trace("A connection was closed already.", closed);
    }
  }
}
