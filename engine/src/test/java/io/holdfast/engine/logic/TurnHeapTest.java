package io.holdfast.engine.logic;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.group.StartFrom;
import io.holdfast.api.queue.QueueOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The heap against a sorted set. */
final class TurnHeapTest {
  private final Queue queue = new Queue(1, "q", 0, QueueOptions.DEFAULTS);
  private final Group group = new Group(queue, 1, "g", StartFrom.ALL, 0);

  @Test
  void shouldHaveTheOneFirstThatWasServedLongestAgo() {
    Random random = new Random(7);
    TurnHeap heap = new TurnHeap();
    TreeSet<Subscription> sorted = new TreeSet<>(TurnHeap.BY_TURN);
    List<Subscription> out = new ArrayList<>();
    for (int number = 0; number < 500; number++) {
      out.add(new Subscription(group, new Partition(queue, number, "p" + number, 0)));
    }

    for (int round = 0; round < 20_000; round++) {
      // Now many are added, now many are removed.
      boolean adds = random.nextInt(100) < (round / 1_000 % 2 == 0 ? 70 : 30);
      if (adds && !out.isEmpty()) {
        Subscription added = out.remove(random.nextInt(out.size()));
        added.lastServed = random.nextInt(50);
        heap.add(added);
        sorted.add(added);
      } else if (!sorted.isEmpty()) {
        List<Subscription> in = List.copyOf(sorted);
        Subscription removed =
            random.nextBoolean() ? in.getFirst() : in.get(random.nextInt(in.size()));
        heap.remove(removed);
        sorted.remove(removed);
        out.add(removed);
      }
      assertThat(heap.isEmpty()).isEqualTo(sorted.isEmpty());
      assertThat(heap.first()).isSameAs(sorted.isEmpty() ? null : sorted.first());
    }
    assertThat(heap).containsExactlyInAnyOrderElementsOf(sorted);
  }
}
