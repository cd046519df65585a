package io.holdfast.examples;

import io.holdfast.api.message.PushedMessage;
import io.holdfast.client.Holdfast;
import io.holdfast.client.consume.Consumer;
import io.holdfast.client.produce.Outgoing;
import java.io.PrintStream;

/** Pushes orders, consumes them, and tells one that was pushed twice. */
public final class FirstSteps {
  static final String ORDERS = "example-orders";

  private FirstSteps() {}

  public static void main(String[] args) throws Exception {
    Examples.start(args, FirstSteps::run, System.out);
  }

  public static void run(Holdfast holdfast, PrintStream out) throws InterruptedException {
    Examples.beginWithout(holdfast, ORDERS);

    holdfast.queue(ORDERS).push("{\"order\":1}");
    Outgoing second = Outgoing.text("{\"order\":2}").transactionId("order-2");
    holdfast.queue(ORDERS).push(second);
    PushedMessage repeated = holdfast.queue(ORDERS).push(second);
    out.println("order 2 was there already: " + repeated.duplicate());

    try (Consumer consumer =
        holdfast
            .queue(ORDERS)
            .group("billing")
            .limit(2)
            .each()
            .consume(message -> out.println("billed " + message.text()))) {
      consumer.join();
      out.println("acked: " + consumer.counts().acked());
    }
  }
}
