package io.holdfast.workflow.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.workflow.FlowInfo;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Flows;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Waiting for a flow while the broker cannot be reached. */
class AwaitUnreachableTest extends AdminFixture {
  private final AtomicInteger failuresLeft = new AtomicInteger();

  /** A client of a broker that is unreachable for a number of reads. */
  private Flows client() {
    return Flows.on(
        new ForwardingBroker(broker) {
          @Override
          public Result<StoredRecord> record(RecordRequest request) {
            if (failuresLeft.getAndDecrement() > 0) {
              throw new UnreachableException("record", false, new IOException("down"));
            }
            return super.record(request);
          }
        });
  }

  @Test
  void shouldTryAgainUntilTheBrokerIsBack() {
    // given
    run(ECHO, "e", "x");
    failuresLeft.set(3);
    // when
    FlowInfo ended;
    try (Flows client = client()) {
      ended = client.awaitEnd("e", SOON);
    }
    // then
    assertThat(ended.status()).isEqualTo(FlowStatus.COMPLETED);
  }

  @Test
  void shouldFailOnceTheTimeIsOver() {
    // given
    failuresLeft.set(Integer.MAX_VALUE);
    // when, then
    try (Flows client = client()) {
      assertThatThrownBy(() -> client.awaitEnd("e", Duration.ofMillis(1)))
          .isInstanceOf(UnreachableException.class);
    }
  }
}
