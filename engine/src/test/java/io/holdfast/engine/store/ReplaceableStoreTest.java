package io.holdfast.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class ReplaceableStoreTest extends StoreContract {
  private static final RocksTuning SMALL = new RocksTuning(1 << 20, 1 << 20);
  private static final int OLD = 3;
  private static final int NEW = 40;

  @TempDir Path temp;
  private int directories;

  @Override
  Store create() {
    return ReplaceableStore.open(temp.resolve("store-" + ++directories), SMALL);
  }

  @Override
  Store reopen(Store store) {
    store.close();
    return ReplaceableStore.open(temp.resolve("store-" + directories), SMALL);
  }

  private Path checkpoint() {
    Path checkpoint = temp.resolve("checkpoint");
    try (RocksStore other = RocksStore.open(temp.resolve("other"), SMALL)) {
      write(other, NEW);
      other.checkpoint(checkpoint);
    }
    return checkpoint;
  }

  private static void write(Store store, int batches) {
    NumberedBatches numbered = new NumberedBatches(1);
    for (int i = 0; i < batches; i++) {
      numbered.write(store, 3_000, true);
    }
  }

  private static int rows(Store store) {
    try (Snapshot rows = store.snapshot()) {
      return NumberedBatches.countIn(rows);
    }
  }

  @Test
  void shouldHaveTheRowsOfTheCheckpointAndTakeFurtherBatches() {
    Store store = create();
    write(store, OLD);

    store.replaceWith(checkpoint());

    assertThat(rows(store)).isEqualTo(NEW);
    Tx tx = store.begin();
    assertThat(tx.get(Tables.record("later"))).isNull();
    tx.put(Tables.record("later"), new byte[] {1});
    store.write(tx, true);
    try (Store again = reopen(store);
        Snapshot rows = again.snapshot()) {
      assertThat(rows.get(Tables.record("later"))).containsExactly(1);
      assertThat(again.failure()).isNull();
    }
  }

  @Test
  void shouldWaitForASnapshotAndLetThoseThatComeLaterSeeTheNewRows() throws Exception {
    // given
    Path checkpoint = checkpoint();
    try (Store store = create()) {
      write(store, OLD);
      CompletableFuture<Boolean> replacement;
      CompletableFuture<Integer> later;
      try (Snapshot rows = store.snapshot()) {
        // when
        replacement =
            startAndWait(
                () -> {
                  store.replaceWith(checkpoint);
                  return true;
                });
        later = startAndWait(() -> rows(store));

        // then
        assertThat(NumberedBatches.countIn(rows)).isEqualTo(OLD);
        assertThat(replacement).isNotDone();
        assertThat(later).isNotDone();
      }
      assertThat(replacement.get(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(later.get(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(NEW);
    }
  }

  /** Starts work on a thread of its own, and returns when that waits. */
  private static <T> CompletableFuture<T> startAndWait(Supplier<T> work) {
    CompletableFuture<T> done = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    done.complete(work.get());
                  } catch (Throwable error) {
                    done.completeExceptionally(error);
                  }
                });
    await()
        .until(
            () ->
                thread.getState() == Thread.State.WAITING
                    || thread.getState() == Thread.State.TIMED_WAITING
                    || done.isDone());
    return done;
  }

  @Test
  void shouldRefuseIfReadsDoNotEndAndStayAsItWas() {
    Path checkpoint = checkpoint();
    try (Store store = ReplaceableStore.open(temp.resolve("data"), SMALL, 1)) {
      write(store, OLD);
      try (Snapshot rows = store.snapshot()) {
        assertThat(rows.get(Format.KEY)).isNotNull();
        assertThatThrownBy(() -> store.replaceWith(checkpoint))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("did not end within 1 ms");
      }

      assertThat(store.failure()).isNull();
      assertThat(rows(store)).isEqualTo(OLD);
      store.replaceWith(checkpoint);
      assertThat(rows(store)).isEqualTo(NEW);
    }
  }

  @Test
  void shouldHaveAFailureIfTheNewRowsCannotBeOpenedAndContinueWhenTheyCan() throws IOException {
    // given: a directory where a file of the checkpoint is to be moved
    Path checkpoint = checkpoint();
    Path data = temp.resolve("data");
    Store store = ReplaceableStore.open(data, SMALL);
    write(store, OLD);
    Path manifest = StoreImage.of(checkpoint).last("MANIFEST").transform(data::resolve);
    Files.deleteIfExists(manifest);
    Path inTheWay = Files.createDirectories(manifest.resolve("directory"));

    // when
    assertThatThrownBy(() -> store.replaceWith(checkpoint))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("could not be opened after it was replaced");

    // then
    assertThat(store.failure()).isNotNull();
    assertThatThrownBy(store::begin).isInstanceOf(StoreException.class);
    assertThatThrownBy(store::snapshot).isInstanceOf(StoreException.class);
    store.close();

    // when
    Files.delete(inTheWay);
    Files.delete(manifest);

    // then
    try (Store again = ReplaceableStore.open(data, SMALL)) {
      assertThat(rows(again)).isEqualTo(NEW);
    }
  }
}
