package io.holdfast.browser;

import io.holdfast.api.lease.Delivery;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.Orchestration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A small shop at work, for pictures: orders that are billed, reports that come late, pumps, and an
 * expense that waits to be approved.
 *
 * <p>Thread: one at a time.
 */
final class Shop implements AutoCloseable {
  static final String ORDERS = "orders";
  static final String WATERING = "watering";
  static final String FLOW = "expense-17";

  private static final List<String> CUSTOMERS = List.of("ada", "grace", "linus", "barbara");
  private static final List<String> ERRORS =
      List.of(
          "order %d: no such account",
          "the bank did not answer within 30 s", "order %d: card expired");
  private static final int POISON = 211;
  private static final Orchestration<String, String> APPROVAL =
      Orchestration.named(
          "approval",
          String.class,
          String.class,
          (flow, who) -> {
            flow.status("waits for a decision about 42.00 for " + who);
            return flow.event("decision", String.class).await();
          });

  private final Stage stage;
  private final Random random = new Random(17);
  private final Flows flows;
  private List<Delivery> reported = List.of();
  private int number;

  Shop(Stage stage) {
    this.stage = stage;
    stage.configure(ORDERS, Map.of(QueueOption.RETRY_LIMIT, 2L, QueueOption.ON_FAILURE, "skip"));
    stage.configure(
        WATERING,
        Map.of(
            QueueOption.TRACK,
            true,
            QueueOption.DELIVERY,
            "shared",
            QueueOption.NAMESPACE,
            "garden"));
    stage.configure("shipments", Map.of());
    stage.broker.pause("shipments", true).orThrow();
    flows = Flows.on(stage.broker).register(APPROVAL).serve();
    flows.start(APPROVAL, FLOW, "Ada");
  }

  /** What happens in ten seconds, or in a share of them. */
  void goOn(int step, double share) {
    int orders = (int) (share * (40 + 25 * Math.sin(step / 25.0) + random.nextInt(12)));
    List<NewMessage> pushed = new ArrayList<>();
    for (int i = 0; i < orders; i++) {
      number++;
      String customer = CUSTOMERS.get(number % CUSTOMERS.size());
      pushed.add(
          Stage.message(
                  ORDERS,
                  "{\"order\":%d,\"customer\":\"%s\",\"cents\":%d}"
                      .formatted(number, customer, 100 + number * 7919 % 9_900))
              .partition(customer)
              .transactionId("order-" + number));
    }
    for (int i = 0; i < 12 * share; i++) {
      pushed.add(Stage.message("mail", "{\"to\":\"ada@example.com\"}"));
    }
    if (step % 4 == 0) {
      pushed.add(Stage.message("shipments", "{\"parcel\":" + number + "}"));
      pushed.add(
          Stage.message(WATERING, "{\"zone\":" + number % 7 + "}").transactionId("zone-" + number));
    }
    stage.broker.push(PushRequest.of(pushed)).orThrow();
    settle(share);
  }

  private void settle(double share) {
    for (int i = 0; i < CUSTOMERS.size() + 1; i++) {
      List<Delivery> billed = new ArrayList<>();
      for (Delivery delivery : stage.pop(ORDERS, "billing", 100)) {
        int order = (int) delivery.message().position().seq();
        if (order % POISON == 7) {
          stage.nack(delivery, ERRORS.get(order % ERRORS.size()).formatted(order));
        } else {
          billed.add(delivery);
        }
      }
      stage.ack(billed);
    }
    stage.ack(reported);
    reported = stage.pop(ORDERS, "reports", (int) (38 * share));
    stage.ack(stage.pop("mail", "sender", 100));
    for (Delivery task : stage.pop(WATERING, "pumps", 4)) {
      if (random.nextInt(9) == 0) {
        stage.kill(task, "not enough water");
      } else {
        stage.ack(task);
      }
    }
  }

  @Override
  public void close() {
    flows.close();
  }
}
