package io.holdfast.cli.demo;

import io.holdfast.api.Broker;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.Orchestration;

/** A durable flow that waits for an approval, and then pays. */
final class Approval implements AutoCloseable {
  static final String FLOW = "expense-17";
  static final String EVENT = "decision";

  /** An expense claim. */
  record Expense(String who, int cents) {}

  /** The decision. */
  record Decision(boolean approved, String by) {}

  private static final Activity<Expense, String> PAY =
      Activity.named("pay", Expense.class, String.class, expense -> "paid to " + expense.who());

  private static final Orchestration<Expense, String> APPROVAL =
      Orchestration.named(
          "approval",
          Expense.class,
          String.class,
          (flow, expense) -> {
            flow.status("waits for a decision");
            Decision decision = flow.event(EVENT, Decision.class).await();
            if (!decision.approved()) {
              return "refused by " + decision.by();
            }
            return flow.call(PAY, expense).await() + ", approved by " + decision.by();
          });

  private final Flows flows;

  Approval(Broker broker) {
    flows = Flows.on(broker).register(APPROVAL, PAY).serve();
    flows.start(APPROVAL, FLOW, new Expense("Ada", 4_200));
  }

  @Override
  public void close() {
    flows.close();
  }
}
