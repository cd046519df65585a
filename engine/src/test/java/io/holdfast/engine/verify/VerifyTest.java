package io.holdfast.engine.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RequestNumber;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.RescheduleRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.seal.Keys;
import io.holdfast.engine.store.RocksStore;
import io.holdfast.engine.store.RocksTuning;
import io.holdfast.engine.store.StoreException;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.Tx;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** A data directory looked at while no broker runs. */
@Tag("slow")
class VerifyTest {
  private static final byte[] PAYLOAD = "{}".getBytes(StandardCharsets.UTF_8);
  private static final Keys KEYS = Keys.of(new byte[32]);

  @TempDir Path parent;
  private Path directory = Path.of("unset");

  @BeforeEach
  void fill() {
    directory = parent.resolve("data");
    try (Broker broker = open()) {
      for (int i = 0; i < 5; i++) {
        broker.push(PushRequest.of(NewMessage.to("orders", PAYLOAD).transactionId("tx" + i)));
      }
      broker.push(PushRequest.of(NewMessage.to("orders", PAYLOAD).delayMs(60_000)));
      Popped popped = broker.pop(PopRequest.queue("orders").batch(4)).orThrow();
      broker.settle(
          SettleRequest.of(
              Settle.ack(popped.messages().get(0).handle()),
              Settle.nack(popped.messages().get(1).handle(), "boom"),
              Settle.kill(popped.messages().get(2).handle(), "boom")));
    }
  }

  private EmbeddedBroker open() {
    return EmbeddedBroker.open(EngineConfig.at(directory).keys(KEYS), TimeSource.SYSTEM);
  }

  private void plant(Consumer<Tx> change) {
    try (RocksStore store = RocksStore.open(directory, RocksTuning.MODEST)) {
      Tx tx = store.begin();
      change.accept(tx);
      store.write(tx, true);
    }
  }

  @Test
  void shouldFindNothingWrongWithAHealthyDirectory() {
    // when
    Verify.Report report = Verify.directory(directory);

    // then
    assertThat(report.violations()).isEmpty();
    assertThat(report.isSound()).isTrue();
    assertThat(report.files()).isPositive();
    assertThat(report.messages()).isEqualTo(5);
    assertThat(report.sealed()).isEmpty();
    assertThat(report.rows())
        .containsEntry("messages", 5L)
        .containsEntry("delayed", 1L)
        .containsEntry("dead", 1L)
        .containsEntry("returned", 1L)
        .containsEntry("leases", 1L);
  }

  @Test
  void shouldFindNothingWrongWithAStoreOfEveryKindOfRow() {
    // given
    try (Broker broker = open()) {
      useEverything(broker);
    }

    // when
    Verify.Report report = Verify.directory(directory, KEYS, new Counting());

    // then
    assertThat(report.violations()).isEmpty();
    assertThat(report.rows()).allSatisfy((table, rows) -> assertThat(rows).as(table).isPositive());
    assertThat(report.sealed()).hasSize(1).containsValue(6L);
  }

  /** Leaves at least one row in each table, and sealed messages in all that hold messages. */
  private static void useEverything(Broker broker) {
    String session = broker.openSession().orThrow().id();
    broker
        .push(
            PushRequest.of(NewMessage.to("numbered", PAYLOAD))
                .number(new RequestNumber(session, 0, 1)))
        .orThrow();
    broker
        .configure(
            ConfigureRequest.queue("sealed")
                .set(QueueOption.ENCRYPTION, true)
                .set(QueueOption.TRACK, true)
                .set(QueueOption.DELIVERY, "shared"))
        .orThrow();
    pushed(broker, NewMessage.to("sealed", PAYLOAD).lane(0));
    pushed(broker, NewMessage.to("sealed", PAYLOAD).lane(1));
    UUID cancelled = pushed(broker, NewMessage.to("sealed", PAYLOAD).lane(2));
    broker.cancel(new CancelRequest(MessageRef.id(cancelled))).orThrow();
    pushed(broker, NewMessage.to("sealed", PAYLOAD).delayMs(60_000));
    Popped popped = broker.pop(PopRequest.queue("sealed")).orThrow();
    broker
        .settle(SettleRequest.of(Settle.kill(popped.messages().getFirst().handle(), "no use")))
        .orThrow();
    Popped again = broker.pop(PopRequest.queue("sealed")).orThrow();
    UUID requeued = again.messages().getFirst().message().id();
    broker
        .settle(SettleRequest.of(Settle.kill(again.messages().getFirst().handle(), "no use")))
        .orThrow();
    broker.requeue(RequeueRequest.of(DeadLetterFilter.queue("sealed").message(requeued))).orThrow();
    UUID moved = pushed(broker, NewMessage.to("orders", PAYLOAD).delayMs(60_000));
    broker.reschedule(new RescheduleRequest(MessageRef.id(moved), 1)).orThrow();
    Popped ended = broker.pop(PopRequest.partition("orders", "other")).orThrow();
    assertThat(ended.isEmpty()).isTrue();
    pushed(broker, NewMessage.to("orders", PAYLOAD).partition("other"));
    ended = broker.pop(PopRequest.partition("orders", "other")).orThrow();
    broker.settle(SettleRequest.of(Settle.ackAll(ended.leaseId()))).orThrow();
    broker
        .commit(
            new CommitRequest(
                List.of(
                    new Operation.AppendJournal("journal", 0, List.of(PAYLOAD, PAYLOAD)),
                    new Operation.PutRecord("record", Operation.ANY_VERSION, PAYLOAD)),
                "request"))
        .orThrow();
  }

  private static UUID pushed(Broker broker, NewMessage message) {
    return broker.push(PushRequest.of(message)).orThrow().messages().getFirst().id();
  }

  private static final class Counting implements Verify.Progress {
    private final AtomicLong rows = new AtomicLong();

    @Override
    public void files(int done, int all) {
      assertThat(done).isBetween(0, all);
    }

    @Override
    public void rows(String table, long done) {
      rows.incrementAndGet();
    }
  }

  @Test
  void shouldTellHowFarItIs() {
    // given
    Counting counting = new Counting();
    // when
    Verify.Report report = Verify.directory(directory, Keys.NONE, counting);
    // then
    assertThat(counting.rows.get())
        .isEqualTo(report.rows().values().stream().mapToLong(Long::longValue).sum());
  }

  @Test
  void shouldReadALogThatWasNotWorkedInAndChangeNoFile() throws IOException {
    // given
    Path copy = parent.resolve("killed");
    try (Broker broker = open()) {
      pushed(broker, NewMessage.to("fresh", PAYLOAD));
      // As a kill would leave it.
      copy(directory, copy);
    }
    Map<String, String> before = stateOf(copy);

    // when
    Verify.Report report = Verify.directory(copy);

    // then
    assertThat(report.violations()).isEmpty();
    assertThat(report.messages()).isEqualTo(6);
    assertThat(stateOf(copy)).isEqualTo(before);
    assertThat(Verify.directory(copy)).isEqualTo(report);
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private static Map<String, String> stateOf(Path directory) throws IOException {
    Map<String, String> state = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        state.put(
            file.toString(),
            Files.getLastModifiedTime(file)
                + " "
                + Files.readString(file, StandardCharsets.ISO_8859_1).hashCode());
      }
    }
    return state;
  }

  @Test
  void shouldRefuseAStoreThatIsOpen() {
    try (EmbeddedBroker broker = open()) {
      assertThatThrownBy(() -> Verify.directory(directory))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("is open already");
      assertThat(broker.stats().isOk()).isTrue();
      // then a checkpoint of it can be looked at
      Path checkpoint = parent.resolve("checkpoint");
      broker.checkpoint(checkpoint);
      assertThat(Verify.directory(checkpoint).violations()).isEmpty();
    }
    assertThat(Verify.directory(directory).isSound()).isTrue();
  }

  @Test
  void shouldTellOfAMissingMessage() {
    // given
    plant(tx -> tx.delete(Tables.message(1, 1, 0, 2)));

    // when
    Verify.Report report = Verify.directory(directory);

    // then
    assertThat(report.isSound()).isFalse();
    assertThat(report.violations())
        .anyMatch(text -> text.contains("messages") && text.contains("ordinal"))
        .anyMatch(text -> text.contains("returned") && text.contains("not stored"));
  }

  @Test
  void shouldTellOfARowWhosePartitionIsGone() {
    // given
    plant(tx -> tx.put(Tables.hole(1, 99, 0, 1), new byte[0]));

    // when
    Verify.Report report = Verify.directory(directory);

    // then
    assertThat(report.violations())
        .anyMatch(text -> text.contains("holes") && text.contains("partition 99"))
        .anyMatch(text -> text.contains("could not open"));
  }

  @Test
  void shouldTellOfARowThatCannotBeRead() {
    // given
    plant(tx -> tx.put(Tables.lease(7), new byte[] {1}));

    // then
    assertThat(Verify.directory(directory).violations())
        .anyMatch(text -> text.contains("leases") && text.contains("cannot be read"));
  }

  @Test
  void shouldTellOfAWrongCount() {
    // given
    plant(tx -> tx.put(Tables.journalLength("journal"), new ByteWriter(10).varint(3).done()));

    // then
    assertThat(Verify.directory(directory).violations())
        .containsExactly("journal journal: its length says 3, but the rows say 0");
  }

  @Test
  void shouldTellOfRowsThatNoTableKnows() throws RocksDBException {
    // given
    plant(tx -> tx.put(Tables.meta("what"), PAYLOAD));
    try (Options options = new Options();
        RocksDB db = RocksDB.open(options, directory.toString())) {
      db.put(new byte[] {Tables.END, 1}, PAYLOAD);
    }

    // then
    assertThat(Verify.directory(directory).violations())
        .hasSize(2)
        .anyMatch(text -> text.contains("no such table"))
        .anyMatch(text -> text.contains("nobody knows it"));
  }

  @Test
  void shouldTellOfAFlippedByteInASortedFile() throws IOException {
    // given
    Path file = largest(".sst");
    flip(file, Files.size(file) / 4);

    // when
    Verify.Report report = Verify.directory(directory);

    // then
    assertThat(report.violations())
        .anyMatch(
            text -> text.startsWith("file " + file.getFileName()) && text.contains("damaged"));
  }

  @Test
  void shouldTellOfAFlippedByteInAFileOfLargeRows() throws IOException {
    // given
    try (Broker broker = open()) {
      pushed(broker, NewMessage.to("large", new byte[100_000]));
    }
    Path file = largest(".blob");
    flip(file, Files.size(file) / 2);

    // when
    Verify.Report report = Verify.directory(directory);

    // then
    assertThat(report.violations())
        .anyMatch(text -> text.startsWith("table messages") && text.contains("cannot be read"));
  }

  @Test
  void shouldTellOfAFileThatIsMissing() throws IOException {
    // given
    Files.delete(largest(".sst"));

    // then
    assertThat(Verify.directory(directory).isSound()).isFalse();
  }

  private Path largest(String end) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(end))
          .max(Comparator.comparingLong(file -> file.toFile().length()))
          .orElseThrow();
    }
  }

  private static void flip(Path file, long at) throws IOException {
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
      access.seek(at);
      int old = access.read();
      access.seek(at);
      access.write(old ^ 1);
    }
  }

  @Test
  void shouldTellOfWhatCannotBeDecrypted() {
    // given
    try (Broker broker = open()) {
      broker
          .configure(ConfigureRequest.queue("sealed").set(QueueOption.ENCRYPTION, true))
          .orThrow();
      pushed(broker, NewMessage.to("sealed", PAYLOAD));
    }
    byte[] other = new byte[32];
    other[0] = 1;
    Counting counting = new Counting();

    // then
    assertThat(Verify.directory(directory, KEYS, counting).isSound()).isTrue();
    assertThat(Verify.directory(directory).sealed()).hasSize(1);
    assertThat(Verify.directory(directory, Keys.of(other), counting).violations())
        .singleElement()
        .asString()
        .contains("encrypted under a key that was not given");
    byte[] key = Tables.message(2, 2, 0, 1);
    plant(
        tx -> {
          byte[] row = tx.get(key);
          assertThat(row).isNotNull();
          byte[] changed = row.clone();
          changed[changed.length - 1] ^= 1;
          tx.put(key, changed);
        });
    assertThat(Verify.directory(directory, KEYS, counting).violations())
        .singleElement()
        .asString()
        .contains("was changed at rest");
  }

  @Test
  void shouldRefuseADirectoryThatIsNoStore() {
    // then
    assertThatThrownBy(() -> Verify.directory(parent.resolve("nothing")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("no store");
    assertThat(parent.resolve("nothing")).doesNotExist();
  }

  @Test
  void shouldFindNothingWrongAfterARequeue() {
    // given
    try (Broker broker = open()) {
      broker.requeue(RequeueRequest.of(DeadLetterFilter.queue("orders"))).orThrow();
    }
    // then
    assertThat(Verify.directory(directory).violations()).isEmpty();
  }
}
