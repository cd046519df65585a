package io.holdfast.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

@Tag("slow")
class RocksStoreTest extends StoreContract {
  private static final byte[] ONE = {1};

  @TempDir Path temp;
  private final List<Store> opened = new ArrayList<>();
  private int directories;

  @AfterEach
  void closeStores() {
    opened.forEach(Store::close);
  }

  @Override
  Store create() {
    return open(temp.resolve("store-" + directories++));
  }

  @Override
  Store reopen(Store store) {
    store.close();
    return open(temp.resolve("store-" + (directories - 1)));
  }

  private RocksStore open(Path directory) {
    RocksStore store = RocksStore.open(directory, RocksTuning.MODEST);
    opened.add(store);
    return store;
  }

  @Test
  void shouldSurviveAProcessThatDidNotClose() throws IOException {
    Path live = temp.resolve("live");
    Store store = open(live);
    put(store, "a", ONE, true);
    put(store, "b", ONE, false);
    Path crashed = copy(live);

    assertThat(names(open(crashed))).containsExactly("a", "b");
  }

  @Test
  void shouldSayThatAnotherHasItOpen() {
    Path directory = temp.resolve("held");
    open(directory);

    assertThatThrownBy(() -> open(directory))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(directory.toString())
        .hasMessageContaining("is open already");
  }

  @Test
  void shouldRefuseAFormatItDoesNotKnow() throws RocksDBException {
    Path directory = temp.resolve("newer");
    open(directory).close();
    change(directory, Tables.meta("format"), new byte[] {0, 0, 0, 99});

    assertThatThrownBy(() -> open(directory))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("has format 99")
        .hasMessageContaining("understands format " + Tables.FORMAT);
  }

  @Test
  void shouldRefuseADirectoryThatIsNoStoreAndLeaveItAlone() throws IOException {
    Path directory = Files.createDirectory(temp.resolve("photos"));
    Files.writeString(directory.resolve("cat.jpg"), "meow");

    assertThatThrownBy(() -> open(directory))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is no Holdfast store");
    assertThat(files(directory, "")).extracting(Path::getFileName).hasToString("[cat.jpg]");
  }

  @Test
  void shouldRefuseTheRocksDbOfAnotherProgram() throws RocksDBException, IOException {
    Path directory = Files.createDirectory(temp.resolve("other"));
    change(directory, new byte[] {9}, ONE);
    List<Path> before = files(directory, "");

    assertThatThrownBy(() -> open(directory))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is no Holdfast store");
    assertThat(files(directory, "")).isEqualTo(before);
  }

  @Test
  void shouldRefuseAFileInPlaceOfADirectory() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "text");

    assertThatThrownBy(() -> open(file))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is a file");
  }

  @Test
  void shouldRefuseAStoreThatLostItsManifest() throws IOException {
    Path directory = temp.resolve("torn");
    Store store = open(directory);
    put(store, "a", ONE, true);
    store.close();
    Files.delete(directory.resolve("CURRENT"));

    assertThatThrownBy(() -> open(directory))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("CURRENT is missing");
  }

  @Test
  void shouldTolerateATornTailOfTheLog() throws IOException {
    Path live = temp.resolve("live");
    Store store = open(live);
    put(store, "a", new byte[1_000], true);
    put(store, "b", new byte[1_000], false);
    Path crashed = copy(live);
    Path log = log(crashed);
    byte[] bytes = Files.readAllBytes(log);

    Files.write(log, java.util.Arrays.copyOf(bytes, bytes.length - 300));

    assertThat(names(open(crashed))).containsExactly("a");
  }

  @Test
  void shouldRefuseDamageBeforeTheTailOfTheLog() throws IOException {
    Path live = temp.resolve("live");
    Store store = open(live);
    for (int i = 0; i < 200; i++) {
      put(store, "row" + i, new byte[1_000], true);
    }
    Path crashed = copy(live);
    Path log = log(crashed);
    byte[] bytes = Files.readAllBytes(log);

    bytes[bytes.length / 2] ^= 0x55;
    Files.write(log, bytes);

    assertThatThrownBy(() -> open(crashed))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("The file " + log.getFileName())
        .hasMessageContaining("is damaged: checksum mismatch at byte")
        .hasMessageContaining("restore the store from a checkpoint");
  }

  @Test
  void shouldNameTheFileThatIsDamaged() throws IOException {
    Path whole = temp.resolve("whole");
    Store store = open(whole);
    for (int i = 0; i < 100; i++) {
      put(store, "row" + i, new byte[100], true);
    }
    store.close();
    StoreImage image = StoreImage.of(whole);
    int directory = 0;
    for (String name : List.of("CURRENT", image.last("MANIFEST"), image.last(".sst"))) {
      byte[] bytes = image.file(name);
      for (StoreImage damaged :
          List.of(
              image.flipped(name, 8L * bytes.length / 2),
              image.with(name, java.util.Arrays.copyOf(bytes, bytes.length / 2)))) {
        Path broken = damaged.writeTo(temp.resolve("broken-" + directory++));

        assertThatThrownBy(() -> names(open(broken)))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining(name)
            .hasMessageContaining("restore the store from a checkpoint");
      }
    }
  }

  @Test
  void shouldSayWhyItCouldNotBeClosedProperly() throws IOException {
    Path directory = temp.resolve("full");
    Store store = open(directory);
    put(store, "a", ONE, true);
    List<Path> traps = fillTheDiskFromTheNextLogOn(directory);
    for (Path trap : traps) {
      Files.delete(trap);
      Files.createDirectory(trap);
    }

    store.close();

    assertThat(store.failure()).isNotNull();
    for (Path trap : traps) {
      Files.deleteIfExists(trap);
    }
    assertThat(names(open(directory))).containsExactly("a");
  }

  @Test
  void shouldSayThatTheDiskIsFullAndTakeNothingMore() throws IOException {
    Path directory = temp.resolve("full");
    Store store = open(directory);
    put(store, "a", ONE, true);
    List<Path> traps = fillTheDiskFromTheNextLogOn(directory);
    store.checkpoint(temp.resolve("copy"));

    assertThatThrownBy(() -> put(store, "b", ONE, true))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("The disk is full");
    assertThatThrownBy(() -> put(store, "c", ONE, true)).isInstanceOf(StoreException.class);
    store.close();
    for (Path trap : traps) {
      Files.deleteIfExists(trap);
    }
    assertThat(names(open(directory))).containsExactly("a");
  }

  /** The next log, opened when a checkpoint flushes, will be a device without space. */
  private static List<Path> fillTheDiskFromTheNextLogOn(Path directory) throws IOException {
    int number = Integer.parseInt(log(directory).getFileName().toString().replace(".log", ""));
    List<Path> traps = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      Path trap = directory.resolve(String.format("%06d.log", number + i));
      traps.add(Files.createSymbolicLink(trap, Path.of("/dev/full")));
    }
    return traps;
  }

  @Test
  void shouldCopyItselfWhileItIsWritten() throws Exception {
    Store store = open(temp.resolve("busy"));
    AtomicBoolean stop = new AtomicBoolean();
    try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
      Future<Integer> writer = executor.submit(() -> pairsUntil(store, stop));
      Path copy = temp.resolve("copy");
      store.checkpoint(copy);
      stop.set(true);
      int written = writer.get();

      try (Snapshot rows = open(copy).snapshot()) {
        int left = count(rows, Tables.RECORDS);
        assertThat(left).isBetween(0, written).isEqualTo(count(rows, Tables.LENGTHS));
      }
    }
  }

  private static int pairsUntil(Store store, AtomicBoolean stop) {
    int pairs = 0;
    while (!stop.get()) {
      Tx tx = store.begin();
      tx.put(Tables.record("r" + pairs), ONE);
      tx.put(Tables.journalLength("r" + pairs), ONE);
      store.write(tx, false);
      pairs++;
    }
    return pairs;
  }

  @Test
  void shouldLeaveNoPartOfACopyThatFailed() throws IOException {
    Store store = open(temp.resolve("live"));
    // A copy can be made there, but not get its name.
    Path target = Files.createSymbolicLink(temp.resolve("copy"), temp.resolve("nowhere"));

    assertThatThrownBy(() -> store.checkpoint(target))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("could not be copied into");

    assertThat(temp.resolve("copy.part")).doesNotExist();
    Files.delete(target);
    store.checkpoint(target);
    assertThat(target.resolve("CURRENT")).exists();
  }

  @Test
  void shouldRefuseToCopyItselfOverSomething() {
    Store store = open(temp.resolve("live"));

    assertThatThrownBy(() -> store.checkpoint(temp))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("exists already");
  }

  @Test
  void shouldGiveTheDiskBackAfterARangeDelete() {
    int chunks = 3_200;
    // Small write buffers, because a log file of that size is kept for reuse.
    RocksStore store = RocksStore.open(temp.resolve("large"), new RocksTuning(1 << 20, 1 << 20));
    opened.add(store);
    Random random = new Random(1);
    for (int i = 0; i < chunks; i++) {
      byte[] chunk = new byte[64 * 1024];
      random.nextBytes(chunk);
      Tx tx = store.begin();
      tx.put(Tables.message(1, 1, 0, i), chunk);
      tx.put(Tables.name(1, 1, Tables.utf8("n" + i)), ONE);
      store.write(tx, false);
    }
    assertThat(store.diskBytes()).isGreaterThan(200L * 1000 * 1000);

    byte[] from = Tables.message(1, 1, 0, 0);
    byte[] to = Tables.message(1, 1, 0, chunks);
    Tx tx = store.begin();
    tx.deleteRange(from, to);
    store.write(tx, true);
    store.reclaim(from, to);

    // RocksDB removes the files it does not need any more after it has said that it is done.
    await().untilAsserted(() -> assertThat(store.diskBytes()).isLessThan(4L * 1000 * 1000));
    try (Snapshot rows = store.snapshot()) {
      assertThat(count(rows, Tables.MESSAGES)).isZero();
      assertThat(count(rows, Tables.NAMES)).isEqualTo(chunks);
    }
  }

  @Test
  void shouldSayThatItIsClosed() {
    Store store = open(temp.resolve("closed"));
    store.close();

    assertThatThrownBy(store::begin)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is closed");
  }

  private static void put(Store store, String name, byte[] value, boolean sync) {
    Tx tx = store.begin();
    tx.put(Tables.record(name), value);
    store.write(tx, sync);
  }

  private static List<String> names(Store store) {
    List<String> names = new ArrayList<>();
    try (Snapshot snapshot = store.snapshot();
        Rows rows = snapshot.scan(Tables.start(Tables.RECORDS), Tables.end(Tables.RECORDS))) {
      while (rows.next()) {
        names.add(
            new String(
                rows.key(), 1, rows.key().length - 1, java.nio.charset.StandardCharsets.UTF_8));
      }
    }
    return names;
  }

  private static int count(View view, byte table) {
    int count = 0;
    try (Rows rows = view.scan(Tables.start(table), Tables.end(table))) {
      while (rows.next()) {
        count++;
      }
    }
    return count;
  }

  private static void change(Path directory, byte[] key, byte[] value) throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, directory.toString())) {
      db.put(key, value);
    }
  }

  /** What a crash would leave of an open store. */
  private Path copy(Path directory) throws IOException {
    Path copy = Files.createDirectory(temp.resolve("crashed"));
    for (Path file : files(directory, "")) {
      Files.copy(file, copy.resolve(file.getFileName()));
    }
    return copy;
  }

  private static Path log(Path directory) throws IOException {
    return files(directory, ".log").getLast();
  }

  private static List<Path> files(Path directory, String suffix) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
  }
}
