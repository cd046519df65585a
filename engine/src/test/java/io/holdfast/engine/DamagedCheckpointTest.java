package io.holdfast.engine;

import static io.holdfast.engine.Calls.many;
import static io.holdfast.engine.Calls.payloads;
import static io.holdfast.engine.Calls.push;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.engine.command.LogPosition;
import io.holdfast.engine.store.RocksStore;
import io.holdfast.engine.store.RocksTuning;
import io.holdfast.engine.store.StoreException;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.Tx;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A checkpoint that cannot be used is refused, and the broker goes on with its data. */
@Timeout(WaitLimits.TEST_SECONDS)
class DamagedCheckpointTest {
  private static final int LARGE_BYTES = 100_000;

  @TempDir Path temp;
  private final ManualClock clock = new ManualClock();
  private EmbeddedBroker broker;
  private Path checkpoint;

  @BeforeEach
  void open() {
    broker = EmbeddedBroker.open(EngineConfig.at(temp.resolve("data")), clock);
    push(broker, "old");
    checkpoint =
        LaterCheckpoint.make(
            temp.resolve("other"),
            new LogPosition(0, 1_000_000),
            clock,
            other -> {
              push(other, "new");
              byte[] large = new byte[LARGE_BYTES];
              Arrays.fill(large, (byte) 'x');
              other.push(PushRequest.of(NewMessage.to("large", large))).orThrow();
            });
  }

  @AfterEach
  void close() {
    Calls.closeInTime(broker);
  }

  private interface Damage {
    void to(Path file) throws IOException;
  }

  private void damage(String part, Damage damage) throws IOException {
    try (Stream<Path> files = Files.list(checkpoint)) {
      Path file =
          files
              .filter(each -> each.getFileName().toString().contains(part))
              .max(Path::compareTo)
              .orElseThrow();
      // A file of its own: those of a checkpoint are links to the files of the store.
      byte[] bytes = Files.readAllBytes(file);
      Files.delete(file);
      Files.write(file, bytes);
      damage.to(file);
    }
  }

  private static void flipInTheMiddle(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 0x10;
    Files.write(file, bytes);
  }

  private static void cut(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
  }

  private void assertRefused(String... why) throws IOException {
    Map<String, Integer> before = files();

    assertThatThrownBy(() -> broker.replaceWith(checkpoint))
        .isInstanceOf(StoreException.class)
        .satisfies(refused -> assertThat(refused.getMessage()).contains(why));

    assertThat(files()).isEqualTo(before);
    push(broker, "later");
    assertThat(payloads(broker.pop(many()).orThrow())).containsExactly("old", "later");
    assertThat(broker.failure()).isNull();
  }

  private Map<String, Integer> files() throws IOException {
    Map<String, Integer> files = new TreeMap<>();
    if (Files.isDirectory(checkpoint)) {
      try (Stream<Path> all = Files.list(checkpoint)) {
        for (Path file : all.toList()) {
          files.put(file.toString(), Arrays.hashCode(Files.readAllBytes(file)));
        }
      }
    }
    return files;
  }

  @Test
  void shouldRefuseAFlippedBitInASortedFile() throws IOException {
    damage(".sst", DamagedCheckpointTest::flipInTheMiddle);

    assertRefused(".sst", "damaged");
  }

  @Test
  void shouldRefuseAFlippedBitInALargeValue() throws IOException {
    damage(".blob", DamagedCheckpointTest::flipInTheMiddle);

    assertRefused("cannot be used");
  }

  @Test
  void shouldRefuseAFileOfLargeValuesThatIsCut() throws IOException {
    damage(".blob", DamagedCheckpointTest::cut);

    assertRefused(".blob", "damaged");
  }

  @Test
  void shouldRefuseASortedFileThatIsMissing() throws IOException {
    damage(".sst", Files::delete);

    assertRefused(".sst");
  }

  @Test
  void shouldRefuseAManifestThatIsCut() throws IOException {
    damage("MANIFEST", DamagedCheckpointTest::cut);

    assertRefused("MANIFEST", "damaged");
  }

  @Test
  void shouldRefuseACheckpointWithoutAManifest() throws IOException {
    damage("CURRENT", Files::delete);

    assertRefused(checkpoint.toString());
  }

  @Test
  void shouldRefuseAnotherFormat() throws IOException {
    change(Tables.meta("format"), new byte[] {0, 0, 0, 99});

    assertRefused("has format 99");
  }

  @Test
  void shouldRefuseRowsThatNoBrokerCanRead() throws IOException {
    change(Tables.start(Tables.QUEUES), new byte[] {1});

    assertRefused("cannot be used");
  }

  private void change(byte[] key, byte[] value) {
    try (RocksStore store = RocksStore.open(checkpoint, RocksTuning.MODEST)) {
      Tx tx = store.begin();
      tx.put(key, value);
      store.write(tx, true);
    }
  }

  @Test
  void shouldRefuseADirectoryThatIsNoStore() throws IOException {
    checkpoint = Files.createDirectory(temp.resolve("photos"));

    assertRefused("There is no store in");
  }

  @Test
  void shouldRefuseItsOwnDirectory() throws IOException {
    checkpoint = temp.resolve("data");

    assertThatThrownBy(() -> broker.replaceWith(checkpoint))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is open already");
    assertThat(payloads(broker.pop(many()).orThrow())).containsExactly("old");
  }
}
