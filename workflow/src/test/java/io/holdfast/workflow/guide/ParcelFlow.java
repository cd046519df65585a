package io.holdfast.workflow.guide;

import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Task;
import java.time.Duration;
import java.util.List;

/** Sub-flows, and flows that are started and left alone. */
final class ParcelFlow {
  record Parcels(String customer, List<String> numbers) {}

  static final Activity<String, String> HAND_OVER =
      Activity.named("hand-over", String.class, String.class, number -> number + " handed over");

  static final Activity<String, String> ASK_CUSTOMER =
      Activity.named("ask-customer", String.class, String.class, customer -> "asked " + customer);

  static final Orchestration<String, String> DELIVERY =
      Orchestration.named(
          "delivery",
          String.class,
          String.class,
          (flow, number) -> {
            flow.sleep(Duration.ofDays(2));
            return flow.call(HAND_OVER, number).await();
          });

  static final Orchestration<String, String> SURVEY =
      Orchestration.named(
          "survey",
          String.class,
          String.class,
          (flow, customer) -> {
            flow.sleep(Duration.ofDays(14));
            return flow.call(ASK_CUSTOMER, customer).await();
          });

  static final Orchestration<Parcels, Integer> SHIPMENT =
      Orchestration.named(
          "shipment",
          Parcels.class,
          Integer.class,
          (flow, parcels) -> {
            List<Task<String>> deliveries =
                parcels.numbers().stream().map(number -> flow.sub(DELIVERY, number)).toList();
            List<String> delivered = flow.<String>all(deliveries).await();
            flow.start(SURVEY, "survey-" + flow.id(), parcels.customer());
            return delivered.size();
          });

  private ParcelFlow() {}
}
