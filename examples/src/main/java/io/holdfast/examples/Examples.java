package io.holdfast.examples;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Result;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.queue.Affected;
import io.holdfast.client.Holdfast;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The examples by their names, and what they run on. */
public final class Examples {
  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private record Entry(String shows, Example example) {}

  private static final Map<String, Entry> BY_NAME = new LinkedHashMap<>();

  static {
    add("first-steps", "push and consume", FirstSteps::run);
    add("buffered-producer", "many small pushes in few requests", BufferedProducer::run);
    add("conditional-ack", "done, again, or never: one of three for each", ConditionalAck::run);
    add("delayed-retry", "a service that says when to come back", DelayedRetry::run);
    add("circuit-breaker", "a service that is down costs no message its life", CircuitBreaker::run);
    add("ack-metrics", "how many were done, and how long it took", AckMetrics::run);
    add("batch-ack", "a batch settled with one request", BatchAck::run);
    add("transactional-forward", "on to the next queue, once", TransactionalForward::run);
    add("dead-letters", "look at what failed, and try it again", DeadLetterReview::run);
  }

  private Examples() {}

  private static void add(String name, String shows, Example example) {
    BY_NAME.put(name, new Entry(shows, example));
  }

  /** Runs the example that the first argument names, on the broker that the second one does. */
  public static void main(String[] args) throws Exception {
    System.exit(main(args, System.out));
  }

  /**
   * Runs an example, or lists them all.
   *
   * @return what the process is to end with
   */
  static int main(String[] args, PrintStream out) throws Exception {
    if (args.length == 0) {
      list(out);
      return OK;
    }
    Entry entry = BY_NAME.get(args[0]);
    if (entry == null) {
      out.println("There is no example " + args[0] + ". There are:");
      list(out);
      return MISUSED;
    }
    try {
      start(Arrays.copyOfRange(args, 1, args.length), entry.example(), out);
      return OK;
    } catch (UnreachableException unreachable) {
      out.println(unreachable.getMessage());
      return FAILED;
    }
  }

  static Set<String> names() {
    return Collections.unmodifiableSet(BY_NAME.keySet());
  }

  private static void list(PrintStream out) {
    BY_NAME.forEach((name, entry) -> out.printf("  %-22s %s%n", name, entry.shows()));
  }

  /** Runs an example on the broker at an address, or on one in this process if there is none. */
  static void start(String[] address, Example example, PrintStream out) throws Exception {
    if (address.length > 0) {
      try (Holdfast holdfast = Holdfast.connect(address)) {
        example.run(holdfast, out);
      }
      return;
    }
    try (Broker broker = EmbeddedBroker.open(EngineConfig.inMemory())) {
      example.run(Holdfast.on(broker), out);
    }
  }

  /** Deletes what an earlier run has left, so that every run shows the same. */
  static void beginWithout(Holdfast holdfast, String... queues) {
    for (String queue : queues) {
      Result<Affected> deleted = holdfast.broker().deleteQueue(queue);
      if (!deleted.isOk() && deleted.refusal().code() != ErrorCode.NOT_FOUND) {
        throw new RefusedException(deleted.refusal());
      }
    }
  }
}
