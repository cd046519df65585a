package io.holdfast.workflow.guide;

import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Orchestration;
import java.time.Duration;

/** Code that changes while flows of it run. */
final class VersionsFlow {
  static final Activity<String, Boolean> CHECK_INCOME =
      Activity.named("check-income", String.class, Boolean.class, who -> !who.isEmpty());
  static final Activity<String, Boolean> CHECK_DEBTS =
      Activity.named("check-debts", String.class, Boolean.class, who -> who.length() < 10);

  static final Orchestration<String, String> LOAN =
      Orchestration.named(
          "loan",
          "1.0",
          String.class,
          String.class,
          (flow, who) -> {
            boolean income = flow.call(CHECK_INCOME, who).await();
            flow.sleep(Duration.ofDays(3));
            return income ? "granted" : "refused";
          });

  static final Orchestration<String, String> LOAN_2 =
      LOAN.version(
          "2.0",
          (flow, who) -> {
            boolean debts = flow.call(CHECK_DEBTS, who).await();
            boolean income = flow.call(CHECK_INCOME, who).await();
            flow.sleep(Duration.ofDays(3));
            return income && debts ? "granted by new rules" : "refused by new rules";
          });

  static final Orchestration<String, String> LOAN_PATCHED =
      LOAN.version(
          "1.0",
          (flow, who) -> {
            boolean debts = !flow.patched("check-debts") || flow.call(CHECK_DEBTS, who).await();
            boolean income = flow.call(CHECK_INCOME, who).await();
            flow.sleep(Duration.ofDays(3));
            return income && debts ? "granted" : "refused";
          });

  /** What not to do: the same version with other code. */
  static final Orchestration<String, String> LOAN_BROKEN =
      LOAN.version(
          "1.0",
          (flow, who) -> {
            boolean debts = flow.call(CHECK_DEBTS, who).await();
            boolean income = flow.call(CHECK_INCOME, who).await();
            flow.sleep(Duration.ofDays(3));
            return income && debts ? "granted" : "refused";
          });

  private VersionsFlow() {}
}
