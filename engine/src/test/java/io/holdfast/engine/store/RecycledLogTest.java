package io.holdfast.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Log files that overwrite older ones in place: where such a log ends is known all the same. */
class RecycledLogTest {
  private static final RocksTuning SMALL = new RocksTuning(1 << 20, 1 << 20);
  private static final int BYTES_MAX = 50_000;

  @TempDir Path temp;
  private final NumberedBatches batches = new NumberedBatches(7);

  @Test
  void shouldOverwriteAnOldLogFileInPlace() throws IOException {
    // when
    Path killed = killedInARecycledLog();
    // then
    Path log = newestLog(killed);
    assertThat(endOf(log)).isPositive().isLessThan(Files.size(log));
  }

  @Test
  void shouldOpenAfterAKillWithExactlyTheBatchesThatWereWritten() throws IOException {
    // given
    Path killed = killedInARecycledLog();
    // when
    try (RocksStore store = RocksStore.open(killed, SMALL);
        Snapshot rows = store.snapshot()) {
      // then
      assertThat(NumberedBatches.countIn(rows)).isEqualTo(batches.count());
    }
  }

  @Test
  void shouldFollowTheLogPastAnEmptyBatchThatIsSynced() throws IOException {
    // given
    Path live = temp.resolve("live");
    try (RocksStore store = RocksStore.open(live, SMALL)) {
      batches.write(store, BYTES_MAX, false);
      // when: it makes the batch before it durable
      store.write(store.begin(), true);
      // then
      batches.write(store, BYTES_MAX, true);
      assertThat(store.failure()).isNull();
    }
  }

  @Test
  void shouldRefuseALogThatEndsBeforeWhatWasSynced() throws IOException {
    // given: an older log in place of the last synced batch, as a lost write leaves it
    Path killed = killedInARecycledLog();
    Path log = newestLog(killed);
    byte[] bytes = Files.readAllBytes(log);
    bytes[(int) endOf(log) - 1] ^= 1;
    Files.write(log, bytes);
    // then
    assertThatThrownBy(() -> RocksStore.open(killed, SMALL))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(log.getFileName() + " of the store")
        .hasMessageContaining("it was synced up to byte");
  }

  @Test
  void shouldRefuseARecycledLogIfTheSyncedPositionIsLost() throws IOException {
    // given
    Path killed = killedInARecycledLog();
    Files.delete(killed.resolve(SyncedPositionFile.NAME));
    // then
    assertThatThrownBy(() -> RocksStore.open(killed, SMALL))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("SYNCED does not tell how far it was synced");
  }

  @Test
  void shouldOverwriteALogFileThatWasWrittenAhead() throws IOException {
    // given
    Path live = temp.resolve("live");
    RocksTuning ahead = new RocksTuning(1 << 20, 1 << 20, RocksTuning.Log.WRITTEN_AHEAD);
    Path killed;
    try (RocksStore store = RocksStore.open(live, ahead)) {
      // when
      batches.write(store, BYTES_MAX, true);
      // then: from the first batch on
      assertThat(isRecycled(newestLog(live))).isTrue();
      killed = StoreImage.of(live).writeTo(temp.resolve("killed"));
    }
    // when: it is killed then, or right after it was opened, or closed
    try (RocksStore store = RocksStore.open(killed, ahead)) {
      StoreImage.of(killed).writeTo(temp.resolve("killed-again"));
      assertThat(store.failure()).isNull();
    }
    // then
    for (String name : List.of("live", "killed", "killed-again")) {
      try (RocksStore store = RocksStore.open(temp.resolve(name), ahead);
          Snapshot rows = store.snapshot()) {
        assertThat(NumberedBatches.countIn(rows)).as(name).isEqualTo(batches.count());
      }
    }
  }

  @Test
  void shouldOverwriteTheSecondLogFileToo() throws IOException {
    // given
    Path live = temp.resolve("live");
    try (RocksStore store =
        RocksStore.open(live, new RocksTuning(1 << 20, 1 << 20, RocksTuning.Log.WRITTEN_AHEAD))) {
      batches.write(store, BYTES_MAX, true);
      Path first = newestLog(live);
      // when
      while (newestLog(live).equals(first)) {
        batches.write(store, BYTES_MAX, true);
        assertThat(batches.count()).as("batches in the first log").isLessThan(2_000);
      }
      // then
      assertThat(isRecycled(newestLog(live))).isTrue();
    }
  }

  /** The files of a store that was killed when its log had overwritten a part of an older one. */
  private Path killedInARecycledLog() throws IOException {
    Path live = temp.resolve("live");
    try (RocksStore store = RocksStore.open(live, SMALL)) {
      do {
        batches.write(store, BYTES_MAX, true);
        assertThat(batches.count()).as("batches before a log was recycled").isLessThan(2_000);
      } while (!isRecycled(newestLog(live)));
      return StoreImage.of(live).writeTo(temp.resolve("killed"));
    }
  }

  private static boolean isRecycled(Path log) throws IOException {
    return Files.size(log) > endOf(log) + BYTES_MAX;
  }

  private static Path newestLog(Path directory) throws IOException {
    List<Long> logs = LogFiles.in(directory);
    return LogFiles.path(directory, logs.getLast());
  }

  private static long endOf(Path log) throws IOException {
    String name = String.valueOf(log.getFileName());
    long number = Long.parseLong(name.substring(0, name.indexOf('.')));
    return LogRecords.scanLog(log, number, head -> null).end();
  }
}
