package io.holdfast.workflow.guide;

import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Task;
import java.time.Duration;
import java.util.List;

/** A person decides, is reminded, and may forget about it. */
final class ApprovalFlow {
  record Expense(String who, int cents) {}

  record Decision(boolean approved, String by) {}

  static final Activity<Expense, String> REMIND =
      Activity.named("remind", Expense.class, String.class, expense -> "mail about " + expense);

  static final Orchestration<Expense, String> APPROVAL =
      Orchestration.named(
          "approval",
          Expense.class,
          String.class,
          (flow, expense) -> {
            Task<Decision> decision = flow.event("decision", Decision.class);
            for (int day = 1; day <= 3; day++) {
              flow.call(REMIND, expense).await();
              flow.status("reminded " + day + " times");
              Task<Void> tomorrow = flow.timer(Duration.ofDays(1));
              flow.<Object>any(List.of(decision, tomorrow)).await();
              if (decision.isDone()) {
                tomorrow.cancel();
                Decision made = decision.await();
                return (made.approved() ? "approved by " : "refused by ") + made.by();
              }
            }
            return "nobody decided";
          });

  private ApprovalFlow() {}
}
