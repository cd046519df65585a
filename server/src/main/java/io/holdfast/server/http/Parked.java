package io.holdfast.server.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connections whose calls wait for something.
 *
 * <p>Thread: any.
 */
public final class Parked {
  private final Set<Peer> peers = ConcurrentHashMap.newKeySet();

  void add(Peer peer) {
    peers.add(peer);
  }

  void remove(Peer peer) {
    peers.remove(peer);
  }

  /**
   * Ends the calls whose callers would not be let in any more, as if their clients had gone: they
   * take nothing, and their connections are closed.
   */
  public void dismissStrangers() {
    for (Peer peer : peers) {
      peer.leaveUnlessGood();
    }
  }
}
