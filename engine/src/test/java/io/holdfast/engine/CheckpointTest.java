package io.holdfast.engine;

import static io.holdfast.engine.Calls.answerOf;
import static io.holdfast.engine.Calls.eventually;
import static io.holdfast.engine.Calls.many;
import static io.holdfast.engine.Calls.push;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.command.LogPosition;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A checkpoint reports exactly the position that it contains. */
@Timeout(WaitLimits.TEST_SECONDS)
class CheckpointTest {
  private static final int MESSAGES_MAX = 900;

  @TempDir Path temp;

  private EmbeddedBroker open(String name) {
    // Time stands still, so that no tick adds an entry.
    return EmbeddedBroker.open(EngineConfig.at(temp.resolve(name)), new ManualClock());
  }

  @Test
  void shouldReportThePositionThatACopyContainsWhileMessagesArePushed() {
    // given: one producer that waits for each answer, so that each message is an entry
    try (EmbeddedBroker broker = open("data")) {
      LogPosition before = broker.checkpoint(temp.resolve("empty"));
      AtomicBoolean enough = new AtomicBoolean();
      AtomicInteger pushed = new AtomicInteger();
      CompletableFuture<Boolean> producer =
          Calls.start(
              () -> {
                while (!enough.get() && pushed.get() < MESSAGES_MAX) {
                  push(broker, "m");
                  pushed.incrementAndGet();
                }
                return true;
              });
      eventually(() -> assertThat(pushed.get()).isGreaterThan(20));

      // when
      LogPosition copied = broker.checkpoint(temp.resolve("copy"));
      enough.set(true);
      answerOf(producer);

      // then
      try (EmbeddedBroker copy = open("copy")) {
        assertThat(copy.pop(many()).orThrow().messages())
            .hasSize((int) (copied.index() - before.index()));
      }
    }
  }
}
