package io.holdfast.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The files of a store are replaced by those of a checkpoint, whenever the process is killed: it
 * opens with the rows of one of them.
 */
@Tag("slow")
class StoreReplacementTest {
  private static final RocksTuning SMALL = new RocksTuning(1 << 20, 1 << 20);
  private static final int OLD = 3;
  private static final int NEW = 40;

  @TempDir Path temp;
  private Path old;
  private Path checkpoint;

  /** A process that is killed before one of the changes that it makes to files. */
  private static final class Kill implements Runnable {
    private int changesLeft;

    Kill(int changesLeft) {
      this.changesLeft = changesLeft;
    }

    @Override
    public void run() {
      if (changesLeft-- == 0) {
        throw new Killed();
      }
    }
  }

  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @BeforeEach
  void fill() throws IOException {
    // A store that was killed, with a log and a SYNCED that names a later manifest than the new
    // one.
    Path live = temp.resolve("live");
    old = temp.resolve("old");
    for (int i = 0; i < 5; i++) {
      RocksStore.open(live, SMALL).close();
    }
    try (RocksStore store = RocksStore.open(live, SMALL)) {
      write(store, OLD);
      StoreImage.of(live).writeTo(old);
      Files.createFile(old.resolve("LOCK"));
    }
    checkpoint = temp.resolve("checkpoint");
    try (RocksStore store = RocksStore.open(temp.resolve("other"), SMALL)) {
      write(store, NEW);
      store.checkpoint(checkpoint);
    }
  }

  private static void write(RocksStore store, int batches) {
    NumberedBatches numbered = new NumberedBatches(1);
    for (int i = 0; i < batches; i++) {
      numbered.write(store, 3_000, true);
    }
  }

  private static int rows(Path directory) {
    try (RocksStore store = RocksStore.open(directory, SMALL);
        Snapshot rows = store.snapshot()) {
      return NumberedBatches.countIn(rows);
    }
  }

  private static void replace(Path directory, Path by, Runnable beforeChange) {
    StoreReplacement.begin(directory, by, beforeChange);
    StoreReplacement.finish(directory, beforeChange);
  }

  @Test
  void shouldOpenWithTheOldOrTheNewRowsAfterAKillAtEachChange() throws IOException {
    List<Integer> opened = new ArrayList<>();
    boolean killed = true;
    for (int changes = 0; killed; changes++) {
      // given
      Path directory = copy(old, "data-" + changes);
      Path by = copy(checkpoint, "by-" + changes);

      // when
      killed = isKilled(directory, by, changes);

      // then: after the marker it has the new rows, and nothing else is left
      boolean begun = !killed || Files.exists(directory.resolve(StoreReplacement.MARKER));
      assertThat(rows(directory)).as("after %d changes", changes).isIn(OLD, NEW);
      opened.add(rows(directory));
      if (begun) {
        assertThat(opened.getLast()).as("after %d changes", changes).isEqualTo(NEW);
        assertThat(directory.resolve(StoreReplacement.MARKER)).doesNotExist();
        assertThat(Files.exists(by) ? files(by) : List.of()).isEmpty();
      }
      assertThat(NumberedBatches.verify(directory, opened.getLast())).isEmpty();
    }
    assertThat(opened).startsWith(OLD, OLD).endsWith(NEW).isSorted();
    assertThat(opened.size()).isGreaterThan(2 * files(checkpoint).size());
  }

  @Test
  void shouldFinishAfterAKillAtEachChangeOfARepeatedReplacement() throws IOException {
    // given: a replacement that was killed after it had begun
    int changes = changes();
    for (int first = 2; first < changes; first += 4) {
      for (int second = 0; second < changes - first; second++) {
        String name = first + "-" + second;
        Path directory = copy(old, "data-" + name);
        Path by = copy(checkpoint, "by-" + name);
        assertThat(isKilled(directory, by, first)).isTrue();

        // when: it is killed again while it is finished
        Kill kill = new Kill(second);
        isKilled(() -> StoreReplacement.finish(directory, kill));

        // then
        assertThat(rows(directory)).as("killed at %s", name).isEqualTo(NEW);
      }
    }
  }

  private static boolean isKilled(Path directory, Path by, int changes) {
    return isKilled(() -> replace(directory, by, new Kill(changes)));
  }

  private static boolean isKilled(Runnable work) {
    try {
      work.run();
      return false;
    } catch (Killed killed) {
      return true;
    }
  }

  /** How many changes a replacement consists of. */
  private int changes() throws IOException {
    AtomicInteger changes = new AtomicInteger();
    replace(copy(old, "counted"), copy(checkpoint, "counted-by"), changes::incrementAndGet);
    return changes.get();
  }

  @Test
  void shouldReplaceByACheckpointInsideTheDirectoryBecauseThatMayBeAMountPoint()
      throws IOException {
    Path inside = copy(checkpoint, "old/incoming");

    replace(old, inside, () -> {});

    assertThat(rows(old)).isEqualTo(NEW);
    assertThat(inside).doesNotExist();
  }

  @Test
  void shouldFinishWhereBothDirectoriesWereMovedMeanwhile() throws IOException {
    // given
    Path before = Files.createDirectory(temp.resolve("before"));
    Path directory = copy(old, "before/data");
    assertThat(isKilled(directory, copy(checkpoint, "before/by"), 9)).isTrue();

    // when
    Path after = Files.move(before, temp.resolve("after"));

    // then
    assertThat(rows(after.resolve("data"))).isEqualTo(NEW);
  }

  @Test
  void shouldRefuseACheckpointOnAnotherFileSystem() throws IOException {
    Path elsewhere = Files.createTempDirectory(Path.of("/dev/shm"), "checkpoint");
    try {
      for (Path file : files(checkpoint)) {
        Files.copy(file, elsewhere.resolve(file.getFileName()));
      }
      List<String> before = names(elsewhere);

      assertThatThrownBy(() -> StoreReplacement.begin(old, elsewhere))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("different file systems")
          .hasMessageContaining("unchanged");

      assertThat(names(elsewhere)).isEqualTo(before);
      assertThat(rows(old)).isEqualTo(OLD);
    } finally {
      StoreDirectory.remove(elsewhere);
    }
  }

  @Test
  void shouldRefuseToBeginWithoutAManifestAndChangeNothing() throws IOException {
    Files.delete(checkpoint.resolve("CURRENT"));

    assertThatThrownBy(() -> StoreReplacement.begin(old, checkpoint))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("CURRENT is missing");

    assertThat(rows(old)).isEqualTo(OLD);
  }

  @Test
  void shouldSayWhatIsMissingIfTheCheckpointWasRemovedAndGoOnWhenItIsBack() throws IOException {
    for (int changes : List.of(2, changes() - 4)) {
      // given
      Path directory = copy(old, "data-" + changes);
      Path by = copy(checkpoint, "by-" + changes);
      assertThat(isKilled(directory, by, changes)).isTrue();
      Path away = Files.move(by, temp.resolve("away-" + changes));

      // then
      assertThatThrownBy(() -> RocksStore.open(directory, SMALL))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("could not be finished")
          .hasMessageContaining("CURRENT is missing");

      // when
      Files.move(away, by);

      // then
      assertThat(rows(directory)).isEqualTo(NEW);
    }
  }

  @Test
  void shouldReportAnInterruptedReplacementWithoutFinishingIt() throws IOException {
    assertThat(isKilled(old, checkpoint, 5)).isTrue();
    List<String> before = names(old);

    try (ClosedStore closed = ClosedStore.at(old)) {
      assertThat(closed.open()).contains("was interrupted").contains("Start the broker");
    }

    assertThat(names(old)).isEqualTo(before);
  }

  private Path copy(Path directory, String name) throws IOException {
    Path copy = Files.createDirectory(temp.resolve(name));
    for (Path file : files(directory)) {
      Files.copy(file, copy.resolve(file.getFileName()));
    }
    return copy;
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> !Files.isDirectory(file)).sorted().toList();
    }
  }

  private static List<String> names(Path directory) throws IOException {
    return files(directory).stream().map(file -> file.getFileName().toString()).toList();
  }
}
