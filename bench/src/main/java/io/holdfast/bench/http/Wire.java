package io.holdfast.bench.http;

import java.io.IOException;

/**
 * One connection to a server, that asks and waits for the answer.
 *
 * <p>Thread: one at a time.
 */
public interface Wire extends AutoCloseable {
  /** No body. */
  byte[] NOTHING = {};

  /** An answer. */
  record Reply(int status, byte[] body) {}

  /** Asks. */
  Reply exchange(String method, String path, byte[] body) throws IOException;

  @Override
  void close();

  /** Which client a wire is made of. */
  enum Kind {
    /** A blocking socket of our own. */
    SOCKET,
    /** The client of the JDK. */
    JDK;

    public Wire open(int port) throws IOException {
      return this == SOCKET ? new SocketWire(port) : new JdkWire(port);
    }
  }
}
