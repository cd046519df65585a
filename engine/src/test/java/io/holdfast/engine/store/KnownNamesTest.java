package io.holdfast.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KnownNamesTest {
  private static final byte[] VALUE = {1};
  private static final int FILTER_BYTES = 1024;

  private final MemoryStore store = new MemoryStore();
  private final KnownNames names = new KnownNames(store::snapshot, FILTER_BYTES, 8 * FILTER_BYTES);

  @AfterEach
  void close() {
    names.close();
    store.close();
  }

  private static byte[] name(int number) {
    return Tables.name(1, 1, Tables.utf8("name-" + number));
  }

  @Test
  void shouldCallNothingNewBeforeItHasReadWhatIsStored() {
    assertThat(names.isNew(name(1))).isFalse();
  }

  @Test
  void shouldKnowMostNewNames() {
    putBatch(1, 0, 400);
    await().until(() -> names.isNew(name(1_000_001)));

    int taken = 0;
    for (int i = 1_000_000; i < 1_010_000; i++) {
      taken += names.isNew(name(i)) ? 0 : 1;
    }

    assertThat(taken).isLessThan(300);
  }

  @Test
  void shouldNeverCallAStoredNameNew() {
    Random random = new Random(7);
    Deque<Tx> unwritten = new ArrayDeque<>();
    List<Integer> put = new ArrayList<>();
    long begun = 0;
    long written = 0;
    for (int batch = 0; batch < 2_000; batch++) {
      Tx tx = store.begin();
      unwritten.add(tx);
      begun++;
      for (int i = random.nextInt(20); i > 0; i--) {
        int number = put.size();
        tx.put(name(number), VALUE);
        names.add(name(number), begun);
        put.add(number);
      }
      while (unwritten.size() > random.nextInt(3)) {
        store.write(unwritten.remove(), false);
        names.written(++written);
      }
      for (int i = 0; i < 50 && !put.isEmpty(); i++) {
        int known = put.get(random.nextInt(put.size()));
        assertThat(names.isNew(name(known))).as("name %s, batch %s", known, batch).isFalse();
      }
    }

    for (int known : put) {
      assertThat(names.isNew(name(known))).isFalse();
    }
    assertThat(put).hasSizeGreaterThan(10_000);
  }

  @Test
  void shouldLearnTheNamesOfAnEarlierRun() {
    Tx tx = store.begin();
    for (int i = 0; i < 300; i++) {
      tx.put(name(i), VALUE);
    }
    store.write(tx, false);

    putBatch(1, 300, 301);
    await().until(() -> names.isNew(name(1_000_001)));

    for (int i = 0; i < 301; i++) {
      assertThat(names.isNew(name(i))).isFalse();
    }
  }

  private void putBatch(long number, int from, int to) {
    Tx tx = store.begin();
    for (int i = from; i < to; i++) {
      tx.put(name(i), VALUE);
      names.add(name(i), number);
    }
    store.write(tx, false);
    names.written(number);
  }
}
