package io.holdfast.bench.peers;

/**
 * A value that is compared between peers.
 *
 * @param name the last part of the name of the figure; the first is the peer's
 * @param title a line above its table
 */
record PeerFigure(String name, String title, String unit) {
  private static final String LOWER = " (lower is better)";

  static final PeerFigure LATENCY_P50 =
      new PeerFigure("latency-2000-p50", "latency at 2,000 messages/s, p50" + LOWER, "ms");
  static final PeerFigure LATENCY_P99 =
      new PeerFigure("latency-2000-p99", "latency at 2,000 messages/s, p99" + LOWER, "ms");
  static final PeerFigure MEMORY_START =
      new PeerFigure("memory-start", "resident memory after the start" + LOWER, "MiB");
  static final PeerFigure MEMORY_AFTER =
      new PeerFigure("memory-after", "resident memory with the messages in it" + LOWER, "MiB");

  static PeerFigure rate(String name, String title) {
    return new PeerFigure(name, title + " (higher is better)", "messages/s");
  }
}
