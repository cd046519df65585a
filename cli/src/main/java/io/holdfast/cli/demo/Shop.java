package io.holdfast.cli.demo;

import io.holdfast.api.Broker;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.client.Holdfast;
import io.holdfast.client.consume.Consumer;
import io.holdfast.client.consume.HeldMessage;
import io.holdfast.client.produce.Outgoing;
import java.time.Duration;
import java.util.List;

/**
 * Orders of a few customers: one group bills them and sometimes fails, another is too slow.
 *
 * <p>Thread: the producer's, and those of the consumers.
 */
final class Shop implements AutoCloseable {
  static final String ORDERS = "orders";
  static final String BILLING = "billing";
  static final String REPORTS = "reports";

  private static final List<String> CUSTOMERS = List.of("ada", "grace", "linus");
  private static final Duration PACE = Duration.ofMillis(250);
  private static final Duration SLOW = Duration.ofSeconds(1);

  /** Every so many orders one fails at first. */
  private static final int FLAKY = 5;

  /** Every so many orders one can never be billed; the first of them is the third. */
  private static final int POISON = 40;

  private static final int FIRST_POISON = 3;

  private final Holdfast holdfast;
  private final Consumer billing;
  private final Consumer reports;
  private final Repeated producer;
  private int orders;

  Shop(Broker broker) {
    holdfast = Holdfast.on(broker);
    broker
        .configure(
            ConfigureRequest.queue(ORDERS)
                .set(QueueOption.ON_FAILURE, "skip")
                .set(QueueOption.RETRY_LIMIT, 2L)
                .set(QueueOption.RETRY_DELAY, 500L))
        .orThrow();
    billing = holdfast.queue(ORDERS).group(BILLING).each().consume(Shop::bill);
    reports = holdfast.queue(ORDERS).group(REPORTS).each().consume(message -> Repeated.rest(SLOW));
    producer = Repeated.every(PACE, this::order);
  }

  private void order() {
    int number = ++orders;
    String customer = CUSTOMERS.get(number % CUSTOMERS.size());
    holdfast
        .queue(ORDERS)
        .partition(customer)
        .push(
            Outgoing.text(
                    "{\"order\":%d,\"customer\":\"%s\",\"cents\":%d}"
                        .formatted(number, customer, 100 + number * 7919 % 9_900))
                .transactionId("order-" + number));
  }

  private static void bill(HeldMessage message) {
    int number = Integer.parseInt(message.transactionId().orElse("0").replaceAll("[^0-9]", ""));
    if (number % POISON == FIRST_POISON) {
      throw new IllegalStateException("order " + number + ": no such account");
    }
    if (number % FLAKY == 0 && message.attempt() == 1) {
      throw new IllegalStateException("order " + number + ": the bank does not answer");
    }
  }

  @Override
  public void close() {
    producer.close();
    billing.close();
    reports.close();
  }
}
