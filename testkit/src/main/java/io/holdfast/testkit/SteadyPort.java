package io.holdfast.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A free port for a server that is stopped and started again on the same port.
 *
 * <p>It lies outside the range from which the system takes ports for clients and for port 0, so
 * that no other process takes it while the server is down.
 */
public final class SteadyPort {
  private static final int FIRST = 20_000;
  private static final int END = 32_000;
  private static final int TRIES_MAX = 1_000;

  private SteadyPort() {}

  /** Finds a free port, by chance, so that tests which run at the same time find different ones. */
  public static int find() {
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, END);
      try (ServerSocket probe = new ServerSocket()) {
        probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return port;
      } catch (IOException taken) {
        // Another one may be free.
      }
    }
    throw new IllegalStateException("no free port from " + FIRST + " to " + END);
  }
}
