package io.holdfast.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.testkit.WaitLimits;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The room for activities is used, never more than there is, and nobody waits for it too long. */
@Timeout(WaitLimits.TEST_SECONDS)
class RoomTest {
  private static final long SHORT_NANOS = 1_000_000;
  private static final long MINUTE_NANOS = 60_000_000_000L;
  private static final long LONG_NANOS = 10_000_000_000L;

  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();
  private final Queue<String> late = new ConcurrentLinkedQueue<>();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  private Room.Job job(String name, long took, CountDownLatch until) {
    return new Room.Job() {
      @Override
      public long run() {
        threads.add(Thread.currentThread());
        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
        try {
          until.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
        inside.decrementAndGet();
        done.incrementAndGet();
        return took;
      }

      @Override
      public void tooLate() {
        late.add(name);
      }
    };
  }

  @Test
  void shouldRunAsManyAsThereIsRoomFor() {
    // given
    Room room = new Room(3, MINUTE_NANOS);
    CountDownLatch end = new CountDownLatch(1);
    // when
    for (int i = 0; i < 3; i++) {
      room.add(job("first " + i, SHORT_NANOS, end));
    }
    // then
    await().until(() -> inside.get() == 3);
    room.add(job("next", SHORT_NANOS, end));
    end.countDown();
    await().until(() -> done.get() == 4);
    assertThat(most.get()).isEqualTo(3);
  }

  @Test
  void shouldTakeOneAfterTheOtherOnTheSameThread() {
    // given
    Room room = new Room(1, MINUTE_NANOS);
    CountDownLatch end = new CountDownLatch(1);
    // when
    for (int i = 0; i < 10; i++) {
      room.add(job("one of ten", SHORT_NANOS, end));
    }
    end.countDown();
    // then
    await().until(() -> done.get() == 10);
    assertThat(threads).hasSize(1);
    assertThat(most.get()).isEqualTo(1);
  }

  @Test
  void shouldSendAwayWhoWaitsTooLong() {
    // given
    Room room = new Room(1);
    CountDownLatch end = new CountDownLatch(1);
    room.add(job("first", SHORT_NANOS, end));
    await().until(() -> inside.get() == 1);
    // when
    room.add(job("second", SHORT_NANOS, end));
    room.add(job("third", SHORT_NANOS, end));
    // then
    await().untilAsserted(() -> assertThat(late).containsExactly("second", "third"));
    end.countDown();
    await().until(() -> done.get() == 1);
  }

  @Test
  void shouldFetchAheadOnlyWhatIsShort() throws InterruptedException {
    // given
    Room room = new Room(2, MINUTE_NANOS);
    CountDownLatch end = new CountDownLatch(0);
    assertThat(fetched(room)).isEqualTo(2);
    // when
    run(room, SHORT_NANOS, end);
    // then
    await().untilAsserted(() -> assertThat(fetched(room)).isGreaterThan(2));
    // when
    run(room, LONG_NANOS, end);
    // then
    await().untilAsserted(() -> assertThat(fetched(room)).isEqualTo(2));
  }

  private static int fetched(Room room) throws InterruptedException {
    int count = room.take(100);
    room.give(count);
    return count;
  }

  private void run(Room room, long took, CountDownLatch end) {
    int before = done.get();
    for (int i = 0; i < 40; i++) {
      room.add(job("job", took, end));
    }
    await().until(() -> done.get() == before + 40);
  }
}
