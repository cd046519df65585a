package io.holdfast.engine.logic;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.Reply.PushedMessages.Duplicate;
import io.holdfast.engine.command.Reply.PushedMessages.Run;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Duplicates within one request get the id of the message that was stored. */
class NamesTest {
  private static final long NOW_MS = 1_000;
  private static final int COUNT = 5_000;

  /** Runs of one message each; it counts how often one is read. */
  private static final class CountedRuns extends AbstractList<Run> {
    private long reads;

    @Override
    public Run get(int index) {
      reads++;
      return new Run(NOW_MS, index + 1, index, new int[] {index});
    }

    @Override
    public int size() {
      return COUNT;
    }
  }

  @Test
  void shouldReadEachStoredMessageOnce() {
    // given: each message of a push once more
    CountedRuns runs = new CountedRuns();
    List<Duplicate> duplicates = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      duplicates.add(duplicateOf(i, COUNT + i));
    }

    // when
    Names.resolve(runs, duplicates);

    // then
    assertThat(runs.reads).isEqualTo(COUNT);
    for (int i = 0; i < COUNT; i++) {
      assertThat(duplicates.get(i))
          .isEqualTo(new Duplicate(COUNT + i, MessageId.uuid(NOW_MS, i + 1, i), i + 1));
    }
  }

  @Test
  void shouldResolveManyDuplicatesInOneRun() {
    // given: so many that comparing each with each would not end
    int count = 1 << 19;
    int[] items = new int[count];
    List<Duplicate> duplicates = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      items[i] = 2 * i;
      duplicates.add(duplicateOf(2 * i, 2 * i + 1));
    }

    // when
    Names.resolve(List.of(new Run(NOW_MS, 7, 100, items)), duplicates);

    // then
    assertThat(duplicates.getLast())
        .isEqualTo(new Duplicate(2 * count - 1, MessageId.uuid(NOW_MS, 7, 100 + count - 1), 7));
  }

  @Test
  void shouldKeepDuplicatesOfEarlierRequests() {
    // given
    CountedRuns runs = new CountedRuns();
    Duplicate earlier = new Duplicate(1, MessageId.uuid(NOW_MS, 3, 4), 3);
    List<Duplicate> duplicates = new ArrayList<>(List.of(earlier));

    // when
    Names.resolve(runs, duplicates);

    // then
    assertThat(duplicates).containsExactly(earlier);
    assertThat(runs.reads).as("nothing to resolve").isZero();
  }

  /** A duplicate of an item of the same request, as it is before that is stored. */
  private static Duplicate duplicateOf(int first, int item) {
    return new Duplicate(item, new UUID(0, first + 1), 0);
  }
}
