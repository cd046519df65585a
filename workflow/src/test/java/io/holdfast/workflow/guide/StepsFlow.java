package io.holdfast.workflow.guide;

import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Retry;
import io.holdfast.workflow.TaskFailed;
import java.time.Duration;
import java.util.Locale;

/** Steps, and activities that fail, hang or are not worth a retry. */
final class StepsFlow {
  /** The card is no good; it will not be tomorrow either. */
  static final class CardRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CardRefused() {
      super("the card was refused");
    }
  }

  static final Activity<String, String> PAY =
      Activity.named("pay", String.class, String.class, card -> "paid with " + card);

  static final Orchestration<String, String> PAYMENT =
      Orchestration.named(
          "payment",
          String.class,
          String.class,
          (flow, card) -> {
            String clean =
                flow.run("clean", String.class, () -> card.strip().toUpperCase(Locale.ROOT));
            Retry retry =
                Retry.times(4)
                    .backoff(Duration.ofSeconds(1), 10, Duration.ofMinutes(5))
                    .timeout(Duration.ofSeconds(30))
                    .unless(CardRefused.class);
            try {
              return flow.call(PAY, clean, retry).await();
            } catch (TaskFailed failed) {
              return failed.is(CardRefused.class) ? "refused" : "try later";
            }
          });

  private StepsFlow() {}
}
