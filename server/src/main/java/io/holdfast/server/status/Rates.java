package io.holdfast.server.status;

/** How many messages a second, by what happens to them. */
public record Rates(double push, double pop, double ack, double nack) {
  static final Rates NONE = new Rates(0, 0, 0, 0);

  Rates plus(Rates other) {
    return new Rates(push + other.push, pop + other.pop, ack + other.ack, nack + other.nack);
  }

  double sum() {
    return push + pop + ack + nack;
  }

  /** What happened in a time. */
  static Rates of(long pushed, long popped, long acked, long nacked, long nanos) {
    // Counters begin anew with the broker, or with a queue of the same name.
    if (nanos <= 0 || pushed < 0 || popped < 0 || acked < 0 || nacked < 0) {
      return NONE;
    }
    double seconds = nanos / 1e9;
    return new Rates(pushed / seconds, popped / seconds, acked / seconds, nacked / seconds);
  }
}
