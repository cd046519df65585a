package io.holdfast.examples;

import io.holdfast.client.Holdfast;
import io.holdfast.client.consume.HeldMessage;
import io.holdfast.client.consume.Transaction;
import io.holdfast.client.produce.Outgoing;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Takes batches and settles each with one request: all of it, or none. */
public final class BatchAck {
  static final String LINES = "example-lines";

  private BatchAck() {}

  public static void main(String[] args) throws Exception {
    Examples.start(args, BatchAck::run, System.out);
  }

  public static void run(Holdfast holdfast, PrintStream out) {
    Examples.beginWithout(holdfast, LINES);
    List<Outgoing> lines =
        IntStream.rangeClosed(1, 150).mapToObj(i -> Outgoing.text("{\"line\":" + i + "}")).toList();
    holdfast.queue(LINES).push(lines);

    List<HeldMessage> first = pop(holdfast);
    first.forEach(BatchAck::write);
    holdfast.ackBatch(first);
    out.println("acked with one request: " + first.size());

    List<HeldMessage> second = pop(holdfast);
    Transaction results = holdfast.transaction();
    for (HeldMessage line : second) {
      if (write(line)) {
        results.ack(line);
      } else {
        results.nack(line, "validation: the line is wrong");
      }
    }
    results.commit();
    out.println("acked or nacked with one request: " + second.size());
  }

  private static List<HeldMessage> pop(Holdfast holdfast) {
    return holdfast.queue(LINES).batch(100).waitFor(Duration.ofSeconds(5)).pop();
  }

  private static boolean write(HeldMessage line) {
    return !line.text().contains(":133}");
  }
}
