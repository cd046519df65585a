package io.holdfast.examples;

import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.client.Holdfast;
import io.holdfast.client.consume.Consumer;
import io.holdfast.client.consume.ConsumerId;
import io.holdfast.client.consume.ConsumerListener;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what consumers do, and how long their handlers take.
 *
 * <p>Thread: any.
 */
public final class AckMetrics implements ConsumerListener {
  static final String EVENTS = "example-events";

  private final LongAdder acked = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder dead = new LongAdder();
  private final LongAdder calls = new LongAdder();
  private final LongAdder nanos = new LongAdder();

  @Override
  public void acked(ConsumerId consumer, int messages) {
    acked.add(messages);
  }

  @Override
  public void nacked(ConsumerId consumer, boolean died) {
    failed.increment();
    if (died) {
      dead.increment();
    }
  }

  @Override
  public void handled(ConsumerId consumer, int messages, Duration took, boolean succeeded) {
    calls.increment();
    nanos.add(took.toNanos());
  }

  /** The share of attempts that ended well, in percent. */
  public double successRate() {
    long total = acked.sum() + failed.sum();
    return total == 0 ? 100 : 100.0 * acked.sum() / total;
  }

  public double meanHandlerMs() {
    return calls.sum() == 0 ? 0 : nanos.sum() / 1e6 / calls.sum();
  }

  public static void main(String[] args) throws Exception {
    Examples.start(args, AckMetrics::run, System.out);
  }

  public static void run(Holdfast holdfast, PrintStream out) throws InterruptedException {
    Examples.beginWithout(holdfast, EVENTS);
    ConfigureRequest options =
        ConfigureRequest.queue(EVENTS)
            .set(QueueOption.RETRY_LIMIT, 1)
            .set(QueueOption.RETRY_DELAY, 10);
    holdfast.broker().configure(options).orThrow();
    for (int i = 1; i <= 10; i++) {
      holdfast.queue(EVENTS).push("{\"event\":" + i + "}");
    }

    // Ten events; one fails once, and one fails twice, which is the end of it.
    AckMetrics metrics = new AckMetrics();
    try (Consumer consumer =
        holdfast
            .queue(EVENTS)
            .group("audit")
            .limit(12)
            .listener(metrics)
            .each()
            .consume(message -> audit(message.text(), message.attempt()))) {
      consumer.join();
    }
    out.println("acked: " + metrics.acked);
    out.println("failed: " + metrics.failed + ", dead: " + metrics.dead);
    out.println(String.format(Locale.ROOT, "success rate: %.2f%%", metrics.successRate()));
    out.println(String.format(Locale.ROOT, "a handler took: %.2f ms", metrics.meanHandlerMs()));

    GroupsRequest groups = GroupsRequest.ofQueue(EVENTS);
    for (GroupInfo group : holdfast.broker().groups(groups).orThrow().items()) {
      out.println("group " + group.group() + " is behind by: " + group.lag());
    }
  }

  private static void audit(String event, int attempt) {
    boolean fails = event.contains(":4}") || (event.contains(":7}") && attempt == 1);
    if (fails) {
      throw new IllegalStateException("the ledger does not take it");
    }
  }
}
