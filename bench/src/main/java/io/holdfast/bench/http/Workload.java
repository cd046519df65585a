package io.holdfast.bench.http;

/** Work for a broker, the same over HTTP and embedded; each has a queue of its own. */
public interface Workload {
  /**
   * What came out.
   *
   * @param rate acknowledged messages per second
   * @param pushed how many messages the queue was given
   * @param left how many of them nobody has acked
   */
  record Outcome(double rate, long pushed, long left) {}

  /** The name of its figure, and of its queue. */
  String name();

  /** What one must know to read its figure. */
  String note();

  Outcome run(Target target) throws InterruptedException;
}
