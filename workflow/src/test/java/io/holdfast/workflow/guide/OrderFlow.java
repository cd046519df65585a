package io.holdfast.workflow.guide;

import io.holdfast.api.Broker;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Retry;
import java.time.Duration;

/** First steps: an order is paid, and a day later it is shipped. */
final class OrderFlow {
  record Order(String customer, int cents) {}

  static final Activity<Order, String> CHARGE =
      Activity.working(
          "charge",
          Order.class,
          String.class,
          (work, order) -> "receipt " + work.key() + " for " + order.customer());

  static final Activity<Order, String> SHIP =
      Activity.named("ship", Order.class, String.class, order -> "parcel to " + order.customer());

  static final Orchestration<Order, String> ORDER =
      Orchestration.named(
          "order",
          Order.class,
          String.class,
          (flow, order) -> {
            String receipt = flow.call(CHARGE, order, Retry.times(5)).await();
            flow.status("paid: " + receipt);
            flow.sleep(Duration.ofDays(1));
            return flow.call(SHIP, order, Retry.times(5)).await();
          });

  private OrderFlow() {}

  static String first(Broker broker, Duration patience) {
    try (Flows flows = Flows.on(broker).register(ORDER, CHARGE, SHIP).serve()) {
      flows.start(ORDER, "order-17", new Order("Ada", 1_200));
      return flows.await("order-17", ORDER, patience);
    }
  }
}
