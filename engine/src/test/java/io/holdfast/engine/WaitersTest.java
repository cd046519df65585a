package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.WorkerNumber;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class WaitersTest {
  private static final String QUEUE = Calls.QUEUE;

  private static final PopSource.Tagged NO_TAGS = new PopSource.Tagged("", "");

  private final Waiters waiters = new Waiters(10_000);

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
  void shouldWakeOnePopOfEachPlaceThatHasThePartition() {
    // given
    Waiters.Waiter whole = enter(PopRequest.queue(QUEUE));
    Waiters.Waiter p1 = enter(PopRequest.partition(QUEUE, "p1"));
    Waiters.Waiter p1Too = enter(PopRequest.partition(QUEUE, "p1"));

    // when
    wake("p1");

    // then: each of them may be the only one of its line
    assertThat(signals(whole, p1, p1Too)).containsExactly(true, true, false);
  }

  @Test
  void shouldWakePopsOfTheTagsOfAQueue() {
    // given
    Waiters.Waiter shop = enter(PopRequest.of(new PopSource.Tagged("shop", null)));
    Waiters.Waiter shopToo = enter(PopRequest.of(new PopSource.Tagged("shop", null)));
    Waiters.Waiter mail = enter(PopRequest.of(new PopSource.Tagged("mail", null)));
    Waiters.Waiter pack = enter(PopRequest.of(new PopSource.Tagged(null, "pack")));
    Waiters.Waiter both = enter(PopRequest.of(new PopSource.Tagged("shop", "pack")));
    Waiters.Waiter other = enter(PopRequest.of(new PopSource.Tagged("shop", "sort")));

    // when
    wake("p", new PopSource.Tagged("shop", "pack"));

    // then
    assertThat(signals(shop, shopToo, mail, pack, both, other))
        .containsExactly(true, false, false, true, true, false);
  }

  @Test
  void shouldWakeAllPopsOfAQueueThatChanged() {
    // given
    Waiters.Waiter whole = enter(PopRequest.queue(QUEUE));
    Waiters.Waiter wholeToo = enter(PopRequest.queue(QUEUE));
    Waiters.Waiter p1 = enter(PopRequest.partition(QUEUE, "p1"));
    Waiters.Waiter tagged = enter(PopRequest.of(new PopSource.Tagged("shop", null)));
    Waiters.Waiter elsewhere = enter(PopRequest.queue("elsewhere"));

    // when
    waiters.run(List.of(new Effect.WakeQueue(QUEUE)));

    // then
    assertThat(signals(whole, wholeToo, p1, tagged, elsewhere))
        .containsExactly(true, true, true, true, false);
  }

  @Test
  void shouldWakeAllWhoWaitForALeaseOrARecord() {
    // given
    Waiters.Waiter lease = enter(new WaitKey.Lease(1));
    Waiters.Waiter leaseToo = enter(new WaitKey.Lease(1));
    Waiters.Waiter otherLease = enter(new WaitKey.Lease(2));
    Waiters.Waiter row = enter(new WaitKey.Row("key"));
    Waiters.Waiter otherRow = enter(new WaitKey.Row("other"));

    // when
    waiters.run(List.of(new Effect.WakeExtends(1), new Effect.WakeReaders("key")));

    // then
    assertThat(signals(lease, leaseToo, otherLease, row, otherRow))
        .containsExactly(true, true, false, true, false);
  }

  @Test
  void shouldWakeTheOneThatCameFirstAlsoIfItWasWokenBefore() {
    // given
    Waiters.Waiter first = enter(PopRequest.queue(QUEUE));
    Waiters.Waiter second = enter(PopRequest.queue(QUEUE));
    wake("p");
    first.arm();

    // when
    wake("p");

    // then
    assertThat(signals(first, second)).containsExactly(true, false);
  }

  @Test
  void shouldVisitOnlyWhomItWakes() {
    // given: a batch that pushed to 1,000 partitions, and many calls that wait
    int parked = 5_000;
    int partitions = 1_000;
    for (int i = 0; i < parked; i++) {
      enter(parkedPop(i, partitions));
    }
    List<Effect> effects = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      effects.add(new Effect.WakePops(QUEUE, "p" + i, new PopSource.Tagged("shop", "pack")));
    }

    // when
    waiters.run(effects);

    // then: for each partition one over the queue, one of the partition and one by each tag
    assertThat(waiters.visited()).isLessThanOrEqualTo(5L * partitions);

    // when: a queue where nobody waits
    long before = waiters.visited();
    waiters.run(List.of(new Effect.WakePops("elsewhere", "p", NO_TAGS)));
    waiters.run(List.of(new Effect.WakeReaders("key")));

    // then
    assertThat(waiters.visited()).isEqualTo(before);
  }

  private static PopRequest parkedPop(int i, int partitions) {
    return switch (i % 4) {
      case 0 -> PopRequest.queue(QUEUE);
      case 1 -> PopRequest.partition(QUEUE, "p" + i % partitions);
      case 2 -> PopRequest.of(new PopSource.Tagged("shop", null));
      default -> PopRequest.of(new PopSource.Tagged("mail", null));
    };
  }

  @Test
  void shouldVisitFewToPassOn() {
    // given
    Waiters.Waiter first = enter(PopRequest.queue(QUEUE));
    for (int i = 0; i < 1_000; i++) {
      enter(PopRequest.queue(QUEUE));
      enter(PopRequest.partition(QUEUE, "p" + i));
    }

    // when
    first.passOn();

    // then
    assertThat(waiters.visited()).isLessThanOrEqualTo(2);
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
  void shouldWakeThePreferredWorkerFirst() {
    // given
    Waiters.Waiter first = enter(sticky("a"));
    Waiters.Waiter preferred = enter(sticky("b"));
    Waiters.Waiter preferredToo = enter(sticky("b"));
    Waiters.Waiter plain = enter(PopRequest.queue(QUEUE).worker("a"));
    int worker = WorkerNumber.of(sticky("b"));
    Effect wake =
        new Effect.WakePops(
            QUEUE, "p", NO_TAGS, List.of(new Effect.Preferred(PopRequest.QUEUE_MODE, worker)));

    // when
    waiters.run(List.of(wake));

    // then: a pop that leaves nothing to others is in another line
    assertThat(signals(first, preferred, preferredToo, plain))
        .containsExactly(false, true, false, true);

    // when
    waiters.run(List.of(wake, wake));

    // then: somebody else has to learn of it if the preferred worker does not wait
    assertThat(signals(first, preferred, preferredToo)).containsExactly(true, true, true);
  }

  private static PopRequest sticky(String worker) {
    return PopRequest.queue(QUEUE).worker(worker).stickyMs(100);
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
  void shouldPassOnWithinALine() {
    // given
    Waiters.Waiter whole = enter(PopRequest.queue(QUEUE));
    Waiters.Waiter p1 = enter(PopRequest.partition(QUEUE, "p1"));
    Waiters.Waiter next = enter(PopRequest.queue(QUEUE));
    Waiters.Waiter other = enter(PopRequest.queue(QUEUE).group("other"));

    // when
    whole.passOn();

    // then: the push that woke it has woken one of the other lines too
    assertThat(signals(whole, p1, next, other)).containsExactly(false, false, true, false);
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
    Waiters few = new Waiters(1);
    Waiters.Waiter only = Objects.requireNonNull(few.enter(PopRequest.queue(QUEUE), () -> {}));

    // then
    assertThat(few.enter(new WaitKey.Row("key"), () -> {})).isNull();
    only.close();
    assertThat(few.enter(new WaitKey.Row("key"), () -> {})).isNotNull();
  }

  private Waiters.Waiter enter(PopRequest request) {
    return Objects.requireNonNull(waiters.enter(request, () -> {}));
  }

  private Waiters.Waiter enter(WaitKey key) {
    return Objects.requireNonNull(waiters.enter(key, () -> {}));
  }

  private void wake(String partition) {
    wake(partition, NO_TAGS);
  }

  private void wake(String partition, PopSource.Tagged tags) {
    waiters.run(List.of(new Effect.WakePops(QUEUE, partition, tags)));
  }

  private static List<Boolean> signals(Waiters.Waiter... each) {
    return java.util.stream.Stream.of(each).map(Waiters.Waiter::isSignalled).toList();
  }
}
