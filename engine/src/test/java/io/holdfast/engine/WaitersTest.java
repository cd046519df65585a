package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.PopRequest;
import io.holdfast.api.PopSource;
import io.holdfast.engine.Waiters.Waiter;
import io.holdfast.engine.command.Effect;
import io.holdfast.testkit.ManualClock;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Wake-ups: none is lost. */
final class WaitersTest {
  private static final List<Effect> PUSHED = List.of(new Effect.WakePops("q", "p"));

  private final Waiters waiters = new Waiters(10, new ManualClock());

  private Waiter enter(PopRequest request) {
    return Objects.requireNonNull(waiters.enter(request));
  }

  @Test
  void shouldPassOnAWakeUpThatComesWhileAPopLeaves() {
    // given two pops, of which one has its messages already when the next push wakes it
    Waiter leaving = enter(PopRequest.queue("q"));
    Waiter waiting = enter(PopRequest.queue("q"));
    waiters.run(PUSHED);
    assertThat(leaving.isSignalled()).isTrue();
    assertThat(waiting.isSignalled()).isFalse();

    // when it leaves without having looked
    leaving.close();

    // then the other looks
    assertThat(waiting.isSignalled()).isTrue();
  }

  @Test
  void shouldWakePopsOfEveryTag() {
    // given pops of one group by different namespaces
    Waiter one = enter(PopRequest.of(new PopSource.Tagged("one", null)));
    Waiter other = enter(PopRequest.of(new PopSource.Tagged("other", null)));

    // when a queue of either has work
    waiters.run(PUSHED);

    // then both look, because a wake-up does not say of which namespace it is
    assertThat(one.isSignalled()).isTrue();
    assertThat(other.isSignalled()).isTrue();
  }
}
