package io.holdfast.server.status;

import io.holdfast.api.Stats;
import io.holdfast.api.queue.QueueLoad;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;

/** How many messages a second, by what happens to them. */
public record Rates(double push, double pop, double ack, double nack) {
  static final Rates NONE = new Rates(0, 0, 0, 0);

  static final JsonType<Rates> TYPE =
      JsonObject.of(Rates.class)
          .number("push", rates -> rounded(rates.push), "Messages stored.")
          .number("pop", rates -> rounded(rates.pop), "Deliveries.")
          .number("ack", rates -> rounded(rates.ack), "Messages done.")
          .number("nack", rates -> rounded(rates.nack), "Messages that failed.")
          .type();

  Rates plus(Rates other) {
    return new Rates(push + other.push, pop + other.pop, ack + other.ack, nack + other.nack);
  }

  /** Two digits: more are noise. */
  static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }

  double sum() {
    return push + pop + ack + nack;
  }

  /** Of the whole broker, from one time to another. */
  static Rates of(Stats before, Stats now, long nanos) {
    return of(
        now.totals().pushed() - before.totals().pushed(),
        now.totals().delivered() - before.totals().delivered(),
        now.totals().acked() - before.totals().acked(),
        now.totals().nacked() - before.totals().nacked(),
        nanos);
  }

  /** Of a queue, from one time to another. */
  static Rates of(QueueLoad before, QueueLoad now, long nanos) {
    return of(
        now.pushed() - before.pushed(),
        now.delivered() - before.delivered(),
        now.acked() - before.acked(),
        now.nacked() - before.nacked(),
        nanos);
  }

  private static Rates of(long pushed, long popped, long acked, long nacked, long nanos) {
    // Counters begin anew with the broker, or with a queue of the same name.
    if (nanos <= 0 || pushed < 0 || popped < 0 || acked < 0 || nacked < 0) {
      return NONE;
    }
    double seconds = nanos / 1e9;
    return new Rates(pushed / seconds, popped / seconds, acked / seconds, nacked / seconds);
  }
}
