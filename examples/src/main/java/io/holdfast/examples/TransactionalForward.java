package io.holdfast.examples;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.client.Holdfast;
import io.holdfast.client.consume.Consumer;
import io.holdfast.client.produce.Outgoing;
import java.io.PrintStream;

/** Acks an order and pushes its invoice, both or neither, whatever happens in between. */
public final class TransactionalForward {
  static final String ORDERS = "example-shipped";
  static final String INVOICES = "example-invoices";

  private TransactionalForward() {}

  public static void main(String[] args) throws Exception {
    Examples.start(args, TransactionalForward::run, System.out);
  }

  public static void run(Holdfast holdfast, PrintStream out) throws InterruptedException {
    Examples.beginWithout(holdfast, ORDERS, INVOICES);
    for (int i = 1; i <= 3; i++) {
      holdfast.queue(ORDERS).push("{\"order\":" + i + "}");
    }
    // Somebody has written an invoice by hand.
    holdfast.queue(INVOICES).partition("north").push(invoiceFor("{\"order\":2}"));

    try (Consumer consumer =
        holdfast
            .queue(ORDERS)
            .limit(3)
            .each()
            .consume(
                order -> {
                  try {
                    holdfast
                        .transaction()
                        .ack(order)
                        .queue(INVOICES)
                        .partition("north")
                        .push(invoiceFor(order.text()))
                        .commit();
                    out.println("invoiced " + order.text());
                  } catch (RefusedException refused) {
                    if (refused.code() != ErrorCode.DUPLICATE) {
                      throw refused;
                    }
                    // Neither has happened, so the order is still ours to decide.
                    order.kill("there is an invoice already");
                    out.println("not invoiced twice: " + order.text());
                  }
                })) {
      consumer.join();
    }
  }

  private static Outgoing invoiceFor(String order) {
    return Outgoing.text("{\"invoice\":" + order + "}").transactionId("invoice of " + order);
  }
}
