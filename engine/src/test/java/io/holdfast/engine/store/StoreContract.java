package io.holdfast.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.testkit.WaitLimits;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What every store does, whatever it keeps its rows in. */
abstract class StoreContract {
  private static final byte[] A = Tables.record("a");
  private static final byte[] B = Tables.record("b");
  private static final byte[] C = Tables.record("c");
  private static final byte[] ONE = {1};
  private static final byte[] TWO = {2};
  private static final int RUNS = 60;
  private static final int STEPS = 150;

  /** A store without rows. */
  abstract Store create();

  /** Another store, with what is written in one, which is used no more. */
  abstract Store reopen(Store store);

  @Test
  void shouldReadItsOwnWritesBeforeTheyAreStored() {
    try (Store store = create()) {
      Tx tx = store.begin();
      tx.put(A, ONE);
      tx.put(B, ONE);
      tx.delete(B);

      assertThat(tx.get(A)).isEqualTo(ONE);
      assertThat(tx.get(B)).isNull();
      assertThat(tx.writes()).isEqualTo(3);
      assertThat(tx.bytes()).isEqualTo(A.length + 2 * B.length + 2);
      try (Snapshot stored = store.snapshot()) {
        assertThat(stored.get(A)).isNull();
      }
    }
  }

  @Test
  void shouldReadThroughSeveralUnwrittenBatches() {
    try (Store store = create()) {
      Tx first = store.begin();
      first.put(A, ONE);
      first.put(B, ONE);
      Tx second = store.begin();
      second.delete(A);
      second.put(C, TWO);
      Tx third = store.begin();

      assertThat(third.get(A)).isNull();
      assertThat(third.get(B)).isEqualTo(ONE);
      assertThat(third.get(C)).isEqualTo(TWO);
    }
  }

  @Test
  void shouldLetAPutAfterARangeDeleteWin() {
    try (Store store = create()) {
      Tx tx = store.begin();
      tx.put(A, ONE);
      tx.put(B, ONE);
      tx.deleteRange(Tables.start(Tables.RECORDS), Tables.end(Tables.RECORDS));
      tx.put(B, TWO);
      store.write(tx, false);

      for (View view : new View[] {tx, store.begin()}) {
        assertThat(view.get(A)).isNull();
        assertThat(view.get(B)).isEqualTo(TWO);
      }
    }
  }

  @Test
  void shouldKeepEmptyValuesApartFromDeletedRows() {
    try (Store store = create()) {
      Tx tx = store.begin();
      tx.put(A, new byte[0]);

      assertThat(tx.get(A)).isEmpty();
      store.write(tx, true);
      assertThat(store.begin().get(A)).isEmpty();
    }
  }

  @Test
  void shouldGiveASnapshotOfOneMoment() {
    try (Store store = create()) {
      Tx first = store.begin();
      first.put(A, ONE);
      store.write(first, false);
      try (Snapshot snapshot = store.snapshot()) {
        Tx second = store.begin();
        second.put(A, TWO);
        second.put(B, TWO);
        store.write(second, false);

        assertThat(snapshot.get(A)).isEqualTo(ONE);
        assertThat(snapshot.get(B)).isNull();
      }
    }
  }

  @Test
  void shouldRefuseABatchOutOfTurn() {
    try (Store store = create()) {
      Tx first = store.begin();
      first.put(A, ONE);
      Tx second = store.begin();

      assertThatThrownBy(() -> store.write(second, false))
          .isInstanceOf(IllegalStateException.class);
      store.write(first, false);
      store.write(second, false);
      assertThatThrownBy(() -> store.write(second, false))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void shouldKeepWhatWasWrittenAndForgetTheRest() {
    Store store = create();
    Tx first = store.begin();
    first.put(A, ONE);
    store.write(first, true);
    store.begin().put(B, ONE);

    try (Store again = reopen(store)) {
      Tx tx = again.begin();
      assertThat(tx.get(A)).isEqualTo(ONE);
      assertThat(tx.get(B)).isNull();
    }
  }

  @Test
  void shouldReadLikeASortedMapWhateverIsInFlight() {
    for (int seed = 0; seed < RUNS; seed++) {
      Random random = new Random(seed);
      Model model = new Model(random);
      Model stored = model.copy();
      Deque<Map.Entry<Tx, Model>> inFlight = new ArrayDeque<>();
      try (Store store = create()) {
        Tx tx = store.begin();
        for (int step = 0; step < STEPS; step++) {
          switch (random.nextInt(8)) {
            case 0 -> {
              inFlight.add(Map.entry(tx, model.copy()));
              tx = store.begin();
            }
            case 1 -> {
              Map.Entry<Tx, Model> oldest = inFlight.poll();
              if (oldest != null) {
                store.write(oldest.getKey(), false);
                stored = oldest.getValue();
              }
            }
            case 2, 3, 4 -> model.compareSome(tx);
            default -> model.change(tx);
          }
        }
        model.compareAll(tx);
        try (Snapshot snapshot = store.snapshot()) {
          stored.compareAll(snapshot);
        }
      }
    }
  }

  @Test
  void shouldSeeWritesAheadOfARunningScan() {
    for (int seed = 0; seed < RUNS; seed++) {
      Random random = new Random(seed);
      Model model = new Model(random);
      try (Store store = create()) {
        Tx older = store.begin();
        changeOften(model, older);
        store.write(older, false);
        Tx unwritten = store.begin();
        changeOften(model, unwritten);
        Tx tx = store.begin();
        changeOften(model, tx);
        boolean written = false;

        try (Rows rows = tx.scan(Tables.start(Tables.QUEUES), Tables.start(Tables.END))) {
          byte[] last = Tables.start(Tables.QUEUES);
          while (rows.next()) {
            assertThat(rows.key()).isEqualTo(model.rows().higherKey(last));
            assertThat(rows.value()).isEqualTo(model.rows().get(rows.key()));
            last = rows.key();
            model.change(tx);
            if (!written && random.nextInt(10) == 0) {
              store.write(unwritten, false);
              written = true;
            }
          }
          assertThat(model.rows().higherKey(last)).isNull();
        }
      }
    }
  }

  private static void changeOften(Model model, Tx tx) {
    for (int i = 0; i < 40; i++) {
      model.change(tx);
    }
  }

  @Test
  void shouldReadTheSameWhileAnotherThreadWrites() throws Exception {
    int batches = 1_500;
    Random random = new Random(7);
    Model model = new Model(random);
    BlockingQueue<Tx> handedOver = new ArrayBlockingQueue<>(3);
    try (Store store = create();
        ExecutorService executor = Executors.newSingleThreadExecutor()) {
      Future<?> writer =
          executor.submit(
              () -> {
                for (int i = 0; i < batches; i++) {
                  Tx tx = handedOver.poll(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS);
                  store.write(Objects.requireNonNull(tx), false);
                }
                return null;
              });
      for (int i = 0; i < batches; i++) {
        Tx tx = store.begin();
        for (int step = 0; step < 8; step++) {
          model.change(tx);
          model.compareSome(tx);
        }
        assertThat(handedOver.offer(tx, WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      }
      writer.get(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS);

      try (Snapshot snapshot = store.snapshot()) {
        model.compareAll(snapshot);
      }
    }
  }
}
