package io.holdfast.engine;

import static io.holdfast.engine.Calls.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.command.Effect;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.engine.store.Tables;
import io.holdfast.testkit.TestScale;
import io.holdfast.testkit.WaitLimits;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every trimmed range is reclaimed, whenever it comes. */
@Timeout(WaitLimits.TEST_SECONDS)
class ReclaimerTest {
  private static final byte[] DEAD = {Tables.DEAD};

  private final TroubledStore store = new TroubledStore(new MemoryStore());
  private final StoreWork work = new StoreWork(store);
  private final Reclaimer reclaimer = new Reclaimer(store, work.compactions);

  @AfterEach
  void close() {
    store.reclaims().open();
    store.deadScans().open();
    work.close();
  }

  @Test
  void shouldReclaimARangeThatComesWhenTheLastOneIsDone() {
    // given: rounds in which a second range comes at about the time when the first one is done
    int rounds = TestScale.rounds(2_000, 200_000);
    for (int round = 1; round <= rounds; round++) {
      int before = store.reclaimed();
      reclaimer.run(List.of(range()));
      for (int spin = round % 200; spin > 0; spin--) {
        Thread.onSpinWait();
      }

      // when
      reclaimer.run(List.of(range()));

      // then
      if (store.reclaimed() < before + 2) {
        eventually(() -> assertThat(store.reclaimed()).isEqualTo(before + 2));
      }
    }
  }

  @Test
  void shouldReclaimAfterAnError() {
    // given
    store.reclaims().close();
    store.failReclaims(new AssertionError("odd"));
    reclaimer.run(List.of(range()));
    eventually(() -> assertThat(store.reclaims().arrived()).isOne());
    store.reclaims().open();
    eventually(() -> assertThat(store.reclaimFailures()).isOne());
    store.failReclaims(null);

    // when
    reclaimer.run(List.of(range()));

    // then
    eventually(() -> assertThat(store.reclaimed()).isOne());
  }

  @Test
  void shouldReclaimWhileReadsFillTheirQueue() {
    // given: no thread and no room for another read
    store.deadScans().close();
    while (work.reads.later(() -> store.snapshot().scan(DEAD, DEAD))) {}

    // when
    reclaimer.run(List.of(range()));

    // then
    eventually(() -> assertThat(store.reclaimed()).isOne());
  }

  private static Effect range() {
    return new Effect.ReclaimSpace(new byte[] {1}, new byte[] {2});
  }
}
