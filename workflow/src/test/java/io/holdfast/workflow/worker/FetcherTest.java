package io.holdfast.workflow.worker;

import static org.awaitility.Awaitility.await;

import io.holdfast.testkit.WaitLimits;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FetcherTest {
  @Test
  void shouldFetchAgainAfterAnError() throws InterruptedException {
    // given
    AtomicInteger rounds = new AtomicInteger();
    Fetcher fetcher =
        new Fetcher(
            "fetcher-test",
            () -> {
              if (rounds.incrementAndGet() == 1) {
                throw new OutOfMemoryError("thrown on purpose");
              }
            });
    // then
    await().until(() -> rounds.get() > 1);
    fetcher.stop();
    fetcher.join(WaitLimits.EVENT.toMillis());
  }
}
