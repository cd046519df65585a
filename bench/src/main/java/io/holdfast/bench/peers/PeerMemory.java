package io.holdfast.bench.peers;

import io.holdfast.api.message.NewMessage;
import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.http.PushLoad;
import io.holdfast.bench.http.Session;
import java.util.LinkedHashMap;
import java.util.Map;

/** The resident memory of a peer that was just started, and after messages went in. */
final class PeerMemory {
  static final String NAME = "memory";

  private static final String QUEUE = "memory";
  private static final int BATCH = 1_000;
  private static final long REST_MS = 2_000;

  private PeerMemory() {}

  static Map<PeerFigure, Double> measure(Peer peer, long messages) throws InterruptedException {
    Thread.sleep(REST_MS);
    double atStart = peer.process().residentMb();
    peer.createQueue(QUEUE);
    long pushed = 0;
    try (Session session = peer.session()) {
      while (pushed < messages) {
        int batch = (int) Math.min(BATCH, messages - pushed);
        session.push(QUEUE, NewMessage.DEFAULT_PARTITION, PushLoad.payloads(0, pushed, batch));
        pushed += batch;
      }
    }
    double after = peer.process().residentMb();
    CheckFailedException.expectEqual("messages stored", messages, peer.unacked(QUEUE));
    Map<PeerFigure, Double> values = new LinkedHashMap<>();
    values.put(PeerFigure.MEMORY_START, atStart);
    values.put(PeerFigure.MEMORY_AFTER, after);
    return values;
  }
}
