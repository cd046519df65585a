package io.holdfast.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testkit.TestScale;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store in which bits were flipped, lost or zeroed: it is refused, or a read fails, or nothing is
 * missing. What {@code verify} finds nothing wrong with can be opened and lacks nothing.
 */
@Tag("slow")
class BitFlipTest {
  private static final RocksTuning SMALL = new RocksTuning(1 << 20, 1 << 20);
  private static final int BLOCK = 32 * 1024;
  private static final int HEADER = 7;
  private static final int LOG_HEADER = 11;
  private static final int LOG_NUMBER_AT = 7;
  private static final int SECTOR = 512;

  @TempDir Path temp;
  private final Random random = new Random(20_261_118);
  private final NumberedBatches batches = new NumberedBatches(1);
  private StoreImage killed;
  private StoreImage closed;
  private int opened;
  private int refused;

  /** A store that was killed with batches in its log, and one that was closed. */
  @BeforeEach
  void fill() throws IOException {
    Path live = temp.resolve("live");
    try (RocksStore store = RocksStore.open(live, SMALL)) {
      // Small rows, which lie in sorted files, and large ones, which lie in files of their own.
      for (int i = 0; i < 3_000; i++) {
        batches.write(store, i % 10 == 0 ? 20_000 : 100, i % 50 == 0);
      }
      for (int i = 0; i < 40; i++) {
        batches.write(store, 300, true);
      }
      killed = StoreImage.of(live);
    }
    closed = StoreImage.of(live);
  }

  @Test
  void shouldNeverTakeALengthThatPointsPastTheEndOfTheLogForATornTail() throws IOException {
    // given
    String log = killed.last(".log");
    List<Integer> records = recordsOfLog(log);
    int aimed = TestScale.rounds(4, 40);
    for (int record : records.subList(records.size() - aimed, records.size())) {
      // when: the highest bit of its length that is not set
      int length = record + 5;
      StoreImage damaged = killed.flipped(log, 8L * length + 6);
      // then
      check(damaged, log + " at " + record);
    }
    assertThat(opened).isZero();
    assertThat(refused).isEqualTo(aimed);
  }

  @Test
  void shouldRefuseALogThatIsShorterThanWhatWasSynced() throws IOException {
    String log = killed.last(".log");
    byte[] bytes = killed.file(log);
    List<Integer> records = recordsOfLog(log);
    check(killed.with(log, Arrays.copyOf(bytes, records.getLast())), log + " without its last");
    check(killed.with(log, new byte[0]), log + " empty");
    check(killed.without(log), log + " missing");
    assertThat(opened).isZero();
  }

  @Test
  void shouldNoticeASectorOfTheLogThatBecameZeros() throws IOException {
    String log = killed.last(".log");
    byte[] bytes = killed.file(log);
    for (int i = 0; i < TestScale.rounds(3, 20); i++) {
      int at = random.nextInt(recordsOfLog(log).getLast() / SECTOR) * SECTOR;
      byte[] damaged = bytes.clone();
      Arrays.fill(damaged, at, at + SECTOR, (byte) 0);
      check(killed.with(log, damaged), log + " zeros at " + at);
    }
    assertThat(opened).isZero();
  }

  @Test
  void shouldNoticeAFlippedBitInAnyKindOfFileOfAKilledStore() throws IOException {
    flipBitsIn(killed, TestScale.rounds(1, 40));
  }

  @Test
  void shouldNoticeAFlippedBitInAnyKindOfFileOfAClosedStore() throws IOException {
    flipBitsIn(closed, TestScale.rounds(1, 40));
  }

  @Test
  void shouldNeverTakeALengthThatPointsPastTheEndOfTheManifestForATornTail() throws IOException {
    for (StoreImage image : List.of(killed, closed)) {
      String manifest = image.last("MANIFEST");
      for (int record : records(image.file(manifest), HEADER)) {
        check(image.flipped(manifest, 8L * (record + 5) + 6), manifest + " at " + record);
      }
    }
    assertThat(refused).isPositive();
  }

  private void flipBitsIn(StoreImage image, int rounds) throws IOException {
    for (String name : image.files().keySet()) {
      long bits = 8L * image.file(name).length;
      for (int i = 0; i < rounds && bits > 0; i++) {
        long bit = random.nextLong(bits);
        check(image.flipped(name, bit), name + " bit " + bit);
      }
    }
    assertThat(refused).isPositive();
  }

  private void check(StoreImage damaged, String what) throws IOException {
    Path directory = damaged.writeTo(temp.resolve("damaged"));
    boolean sound;
    try {
      sound = NumberedBatches.verify(directory, batches.count()).isEmpty();
    } catch (StoreException unreadable) {
      sound = false;
    }
    boolean whole = false;
    try (RocksStore store = RocksStore.open(directory, SMALL);
        Snapshot rows = store.snapshot()) {
      assertThat(NumberedBatches.countIn(rows)).as(what).isEqualTo(batches.count());
      whole = true;
      opened++;
    } catch (StoreException unreadable) {
      assertThat(unreadable).as(what).hasMessageNotContaining("open already");
      refused++;
    }
    if (sound) {
      assertThat(whole).as(what).isTrue();
    }
    delete(directory);
  }

  private static void delete(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }

  /**
   * Where the fragments of the last log begin; those of the log before it, which it overwrites, do
   * not count.
   */
  private List<Integer> recordsOfLog(String log) {
    ByteBuffer bytes = ByteBuffer.wrap(killed.file(log)).order(ByteOrder.LITTLE_ENDIAN);
    int number = Integer.parseInt(log.replace(".log", ""));
    List<Integer> found = records(bytes.array(), LOG_HEADER);
    int count = 0;
    while (count < found.size() && bytes.getInt(found.get(count) + LOG_NUMBER_AT) == number) {
      count++;
    }
    return found.subList(0, count);
  }

  /** Where the fragments of a file begin, as far as their lengths make sense. */
  private static List<Integer> records(byte[] log, int header) {
    ByteBuffer bytes = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
    List<Integer> found = new ArrayList<>();
    int at = 0;
    while (at + header <= log.length) {
      if (BLOCK - at % BLOCK < header) {
        at = (at / BLOCK + 1) * BLOCK;
        continue;
      }
      found.add(at);
      at += header + (bytes.getShort(at + 4) & 0xffff);
    }
    return found;
  }
}
