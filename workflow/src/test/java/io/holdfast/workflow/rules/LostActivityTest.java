package io.holdfast.workflow.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Work;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A worker that loses the lease of an activity stops it, and says why. */
class LostActivityTest extends FlowFixture {
  private final List<String> ends = new CopyOnWriteArrayList<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch never = new CountDownLatch(1);

  /** Waits until it is interrupted. */
  private String waits(Work work, String input) throws InterruptedException {
    begun.countDown();
    try {
      never.await();
      return input;
    } finally {
      ends.add((work.isCancelled() ? "cancelled" : "") + (work.isLeaseLost() ? "lease lost" : ""));
    }
  }

  /** The activity comes again when its lease has ended, and would hold up the end of the worker. */
  @AfterEach
  void endActivities() {
    never.countDown();
  }

  private final Activity<String, String> slow =
      Activity.working("slow", String.class, String.class, this::waits);
  private final Orchestration<String, String> calls =
      Orchestration.named(
          "calls", String.class, String.class, (flow, text) -> flow.call(slow, text).await());

  /** A worker whose lease cannot be renewed from now on. */
  private Flows worker(Supplier<Result<Extended>> renewal) {
    ForwardingBroker trouble =
        new ForwardingBroker(broker) {
          @Override
          public Result<Extended> extend(ExtendRequest request) {
            return renewal.get();
          }
        };
    return flows(trouble, config().worker("cut-off")).register(calls, slow).serve();
  }

  private void awaitStopped(Flows worker) throws InterruptedException {
    worker.start(calls, "c", "x");
    begun.await();
    eventually(
        () -> {
          advance(Duration.ofSeconds(1));
          assertThat(ends).isNotEmpty();
        });
  }

  @Test
  void shouldStopAnActivityAtTheEndOfALeaseThatCannotBeRenewed() throws InterruptedException {
    // when
    awaitStopped(
        worker(
            () -> {
              throw new UnreachableException("the test cut it off", true, new IOException());
            }));
    // then
    assertThat(ends.getFirst()).isEqualTo("lease lost");
  }

  @Test
  void shouldNotTellACancellationIfTheLeaseIsLost() throws InterruptedException {
    // when
    awaitStopped(worker(() -> Result.refused(ErrorCode.STALE_LEASE, "the lease expired")));
    // then
    assertThat(ends.getFirst()).isEqualTo("lease lost");
  }
}
