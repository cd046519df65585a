package io.holdfast.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.store.StoreImage.Kept;
import io.holdfast.testkit.TestScale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store whose machine lost power while it wrote: it opens, and lacks nothing acknowledged. */
@Tag("slow")
class PowerCutTest {
  /** Small, so that there are several logs, and flushes between. */
  private static final RocksTuning SMALL = new RocksTuning(1 << 20, 1 << 20);

  private static final List<Kept> KINDS = List.of(Kept.values());
  private static final int BYTES_MAX = 60_000;

  private static final int ROUNDS_OF_A_STORE = 14;
  private static final int SLOT_DISTANCE = 4096;

  @TempDir Path temp;
  private final Random random = new Random(20_261_118);

  @Test
  void shouldOpenWithEverythingAcknowledgedWhateverIsKeptOfAnUnsyncedAppend() throws IOException {
    int stores = TestScale.rounds(1, 20);
    for (int number = 0; number < stores; number++) {
      Path live = temp.resolve("live-" + number);
      NumberedBatches batches = new NumberedBatches(number);
      try (RocksStore store = RocksStore.open(live, SMALL)) {
        StoreImage earlier = StoreImage.of(live);
        for (int round = 0; round < ROUNDS_OF_A_STORE; round++) {
          // given
          fill(store, batches);
          int acknowledged = batches.count();
          StoreImage before = StoreImage.of(live);
          append(store, batches);
          StoreImage later = StoreImage.of(live);
          Kept kept = KINDS.get(round % KINDS.size());
          // when
          StoreImage cut = withSomePosition(before.cutWhileBecoming(later, kept, random), earlier);
          // then
          check(cut, kept, acknowledged, batches.count());
          earlier = before;
        }
      }
      delete(live);
    }
  }

  @Test
  void shouldOpenWhateverIsKeptOfAnUnsyncedChangeOfTheManifest() throws IOException {
    for (int round = 0; round < TestScale.rounds(1, 5) * KINDS.size(); round++) {
      // given
      Path live = temp.resolve("flushed-" + round);
      NumberedBatches batches = new NumberedBatches(round);
      try (RocksStore store = RocksStore.open(live, RocksTuning.MODEST)) {
        fill(store, batches);
        StoreImage before = StoreImage.of(live);
        // A checkpoint flushes.
        store.checkpoint(temp.resolve("checkpoint-" + round));
        StoreImage later = StoreImage.of(live);
        String manifest = later.last("MANIFEST");
        assertThat(later.file(manifest).length).isGreaterThan(before.file(manifest).length);
        // when
        Kept kept = KINDS.get(round % KINDS.size());
        StoreImage cut = before.cutWhileBecoming(later, kept, random);
        // then
        check(cut, kept, batches.count(), batches.count());
      }
    }
  }

  private void fill(RocksStore store, NumberedBatches batches) {
    for (int i = random.nextInt(20); i > 0; i--) {
      batches.write(store, BYTES_MAX, random.nextInt(4) == 0);
    }
    batches.write(store, BYTES_MAX, true);
  }

  private void append(RocksStore store, NumberedBatches batches) {
    for (int i = random.nextInt(3); i > 0; i--) {
      batches.write(store, BYTES_MAX, false);
    }
    batches.write(store, random.nextBoolean() ? BYTES_MAX : 100, true);
  }

  /** The recorded position may not have reached the disk, or not all of it. */
  private StoreImage withSomePosition(StoreImage image, StoreImage earlier) {
    if (!image.files().containsKey("SYNCED")) {
      return image;
    }
    if (random.nextInt(3) == 0) {
      return image.with("SYNCED", earlier.file("SYNCED"));
    }
    byte[] position = image.file("SYNCED").clone();
    if (random.nextBoolean()) {
      int at = random.nextInt(2) * SLOT_DISTANCE + random.nextInt(100);
      position[at] ^= 1;
    }
    return image.with("SYNCED", position);
  }

  private void check(StoreImage image, Kept kept, int acknowledged, int written)
      throws IOException {
    String about = kept + ": " + image;
    Path directory = image.writeTo(temp.resolve("cut"));
    assertThat(NumberedBatches.verify(directory, acknowledged)).as(about).isEmpty();
    try (RocksStore store = RocksStore.open(directory, SMALL);
        Snapshot rows = store.snapshot()) {
      assertThat(NumberedBatches.countIn(rows)).as(about).isBetween(acknowledged, written);
    }
    assertThat(NumberedBatches.verify(directory, acknowledged)).as(about).isEmpty();
    delete(directory);
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
