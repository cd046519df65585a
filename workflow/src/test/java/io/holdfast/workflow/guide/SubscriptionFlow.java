package io.holdfast.workflow.guide;

import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Retry;
import io.holdfast.workflow.Task;
import java.time.Duration;
import java.util.List;

/** A flow that runs for years, in executions of a month. */
final class SubscriptionFlow {
  record Subscription(String customer, int paid) {}

  static final Activity<Subscription, Integer> BILL =
      Activity.named("bill", Subscription.class, Integer.class, Subscription::paid);

  static final Orchestration<Subscription, Integer> SUBSCRIPTION =
      Orchestration.named(
          "subscription",
          Subscription.class,
          Integer.class,
          (flow, subscription) -> {
            Task<String> stop = flow.event("stop", String.class);
            Task<Void> month = flow.timer(Duration.ofDays(30));
            flow.<Object>any(List.of(stop, month)).await();
            if (stop.isDone()) {
              return subscription.paid();
            }
            flow.call(BILL, subscription, Retry.times(100)).await();
            int paid = subscription.paid() + 1;
            if (stop.isDone()) {
              return paid;
            }
            return flow.continueAsNew(new Subscription(subscription.customer(), paid));
          });

  private SubscriptionFlow() {}
}
