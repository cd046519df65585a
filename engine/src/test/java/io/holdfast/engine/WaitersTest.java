package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.PopRequest;
import io.holdfast.api.PopSource;
import io.holdfast.api.TimeSource;
import io.holdfast.engine.command.Effect;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class WaitersTest {
  private static final String QUEUE = Calls.QUEUE;

  private final Waiters waiters = new Waiters(100, TimeSource.SYSTEM);

  @Test
  void shouldWakeOnePopOfEachGroup() {
    // given
    Waiters.Waiter first = enter(PopRequest.queue(QUEUE));
    Waiters.Waiter second = enter(PopRequest.queue(QUEUE));
    Waiters.Waiter other = enter(PopRequest.queue(QUEUE).group("other"));
    Waiters.Waiter elsewhere = enter(PopRequest.queue("elsewhere"));

    // when
    wake("p");

    // then
    assertThat(signals(first, second, other, elsewhere)).containsExactly(true, false, true, false);

    // when
    wake("p");

    // then
    assertThat(signals(first, second, other, elsewhere)).containsExactly(true, true, true, false);
  }

  @Test
  void shouldWakeOnlyWhoWantsThePartition() {
    // given
    Waiters.Waiter p1 = enter(PopRequest.partition(QUEUE, "p1"));
    Waiters.Waiter p2 = enter(PopRequest.partition(QUEUE, "p2"));

    // when
    wake("p2");

    // then
    assertThat(signals(p1, p2)).containsExactly(false, true);
  }

  @Test
  void shouldWakePopsOfAllTags() {
    // given
    Waiters.Waiter shop = enter(PopRequest.of(new PopSource.Tagged("shop", null)));
    Waiters.Waiter shopToo = enter(PopRequest.of(new PopSource.Tagged("shop", null)));
    Waiters.Waiter mail = enter(PopRequest.of(new PopSource.Tagged("mail", null)));

    // when
    wake("p");

    // then
    assertThat(signals(shop, shopToo, mail)).containsExactly(true, false, true);
  }

  @Test
  void shouldWakeTheHolderOfALeaseBesideOthers() {
    // given
    Waiters.Waiter other = enter(PopRequest.queue(QUEUE));
    Waiters.Waiter holder = enter(PopRequest.queue(QUEUE).joinLease("AAAAAAAAAAA"));

    // when
    wake("p");

    // then
    assertThat(signals(other, holder)).containsExactly(true, true);
  }

  @Test
  void shouldPassOnASignalThatWasNotUsed() {
    // given
    Waiters.Waiter first = enter(PopRequest.queue(QUEUE));
    Waiters.Waiter second = enter(PopRequest.queue(QUEUE));
    wake("p");

    // when
    first.close();

    // then
    assertThat(signals(second)).containsExactly(true);
    assertThat(waiters.count()).isOne();
  }

  @Test
  void shouldNotPassOnASignalThatWasUsed() {
    // given
    Waiters.Waiter first = enter(PopRequest.queue(QUEUE));
    Waiters.Waiter second = enter(PopRequest.queue(QUEUE));
    wake("p");

    // when
    first.arm();
    first.close();

    // then
    assertThat(signals(second)).containsExactly(false);
  }

  @Test
  void shouldPassOnToEveryPartitionThatMayHaveWork() {
    // given
    Waiters.Waiter whole = enter(PopRequest.queue(QUEUE));
    Waiters.Waiter p1 = enter(PopRequest.partition(QUEUE, "p1"));
    Waiters.Waiter p2 = enter(PopRequest.partition(QUEUE, "p2"));
    Waiters.Waiter other = enter(PopRequest.queue(QUEUE).group("other"));

    // when
    whole.passOn();

    // then
    assertThat(signals(whole, p1, p2, other)).containsExactly(false, true, true, false);
  }

  @Test
  void shouldForgetWhoLeft() {
    // when
    enter(PopRequest.queue(QUEUE)).close();
    Waiters.Waiter twice = enter(PopRequest.queue(QUEUE));
    twice.close();
    twice.close();

    // then
    assertThat(waiters.count()).isZero();
  }

  @Test
  void shouldHaveRoomForSoMany() {
    // given
    Waiters few = new Waiters(1, TimeSource.SYSTEM);
    Waiters.Waiter only = Objects.requireNonNull(few.enter(PopRequest.queue(QUEUE)));

    // then
    assertThat(few.enter(new Waiters.Key.Row("key"))).isNull();
    only.close();
    assertThat(few.enter(new Waiters.Key.Row("key"))).isNotNull();
  }

  private Waiters.Waiter enter(PopRequest request) {
    return Objects.requireNonNull(waiters.enter(request));
  }

  private void wake(String partition) {
    waiters.run(List.of(new Effect.WakePops(QUEUE, partition)));
  }

  private static List<Boolean> signals(Waiters.Waiter... each) {
    return java.util.stream.Stream.of(each).map(Waiters.Waiter::isSignalled).toList();
  }
}
