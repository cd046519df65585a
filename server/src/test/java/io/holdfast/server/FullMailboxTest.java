package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.WaitLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** More pushes at once than the broker has room for. */
@Timeout(WaitLimits.TEST_SECONDS)
class FullMailboxTest extends ServerFixture {
  private static final int PUSHERS = 16;

  private final AtomicBoolean full = new AtomicBoolean();

  @Override
  protected EngineConfig engine() {
    return super.engine().mailbox(1, 1_000);
  }

  /** Pushes until somebody was refused. */
  private List<Reply> pushUntilFull() {
    List<Reply> replies = new ArrayList<>();
    while (!full.get()) {
      Reply reply = post("/api/v1/push", "{'items':[{'queue':'q','payload':1}]}");
      replies.add(reply);
      if (reply.status() != 201) {
        full.set(true);
      }
    }
    return replies;
  }

  @Test
  void shouldAskToComeAgainInASecondAndKeepAllThatItTook() throws Exception {
    // given
    post("/api/v1/push", "{'items':[{'queue':'q','payload':1}]}").expect(201);
    List<Reply> replies = new ArrayList<>();
    // when
    try (ExecutorService pushers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<Reply>>> all = new ArrayList<>();
      for (int i = 0; i < PUSHERS; i++) {
        all.add(pushers.submit(this::pushUntilFull));
      }
      for (Future<List<Reply>> one : all) {
        replies.addAll(one.get());
      }
    }
    // then
    List<Reply> refused = replies.stream().filter(reply -> reply.status() != 201).toList();
    assertThat(refused)
        .isNotEmpty()
        .allSatisfy(
            reply -> {
              assertThat(reply.expect(429).text("/code")).isEqualTo("OVERLOADED");
              assertThat(reply.header("Retry-After")).isEqualTo("1");
            });
    long stored = 1L + replies.size() - refused.size();
    assertThat(broker.queue("q").orThrow().counts().waiting()).isEqualTo(stored);
  }
}
