package io.holdfast.engine;

import static io.holdfast.engine.Calls.answerOf;
import static io.holdfast.engine.Calls.assertRefused;
import static io.holdfast.engine.Calls.closeInTime;
import static io.holdfast.engine.Calls.eventually;
import static io.holdfast.engine.Calls.message;
import static io.holdfast.engine.Calls.one;
import static io.holdfast.engine.Calls.pushOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.task.TasksRequest;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.engine.store.RocksStore;
import io.holdfast.engine.store.RocksTuning;
import io.holdfast.engine.store.StoreException;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Disks that fail and rules that break: nothing is acknowledged after it, and nobody hangs. */
@Timeout(WaitLimits.TEST_SECONDS)
class FaultTest {
  private static final long LONG_MS = 60_000;
  private static final int WARM_UP = 300;

  @TempDir Path temp;
  private final MemoryStore rows = new MemoryStore();
  private final TroubledStore store = new TroubledStore(rows);
  private final List<EmbeddedBroker> opened = new ArrayList<>();

  @AfterEach
  void close() {
    store.letWritesGo();
    opened.forEach(Calls::closeInTime);
  }

  private EmbeddedBroker open(TroubledStore over) {
    EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.inMemory(), TimeSource.SYSTEM, over);
    opened.add(broker);
    return broker;
  }

  @RepeatedTest(5)
  void shouldAcknowledgeNothingAfterAFailedWrite() {
    // given
    EmbeddedBroker broker = open(store);
    Load load = new Load(broker, store::hasFailed);
    load.start();
    eventually(() -> assertThat(load.settled()).isGreaterThan(WARM_UP));

    // when
    store.failWrites(new StoreException("The disk is full.", null));
    load.finish();

    // then
    load.assertAllStopped();
    assertStopped(broker, "The disk is full.");
    closeInTime(broker);
    load.assertKeptBy(open(new TroubledStore(rows.reopen())));
  }

  @Test
  void shouldRecoverAfterTheDiskWasFull() throws IOException {
    // given
    Path directory = temp.resolve("data");
    TroubledStore disk = new TroubledStore(RocksStore.open(directory, RocksTuning.MODEST));
    EmbeddedBroker broker = open(disk);
    Load load = new Load(broker, disk::hasFailed);
    load.start();
    eventually(() -> assertThat(load.settled()).isGreaterThan(WARM_UP));

    // when
    List<Path> traps = fillTheDiskFromTheNextLogOn(directory);
    CompletableFuture<Boolean> copied = Calls.start(() -> copy(broker));
    load.finish();

    // then
    assertThat(answerOf(copied)).isIn(true, false);
    load.assertAllStopped();
    assertStopped(broker, "The disk is full");
    closeInTime(broker);
    for (Path trap : traps) {
      Files.deleteIfExists(trap);
    }
    load.assertKeptBy(open(new TroubledStore(RocksStore.open(directory, RocksTuning.MODEST))));
  }

  private boolean copy(EmbeddedBroker broker) {
    try {
      broker.checkpoint(temp.resolve("copy"));
      return true;
    } catch (StoreException full) {
      return false;
    }
  }

  /** The next log, opened when a checkpoint flushes, will be a device without space. */
  private static List<Path> fillTheDiskFromTheNextLogOn(Path directory) throws IOException {
    int number;
    try (Stream<Path> files = Files.list(directory)) {
      number =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".log"))
              .mapToInt(name -> Integer.parseInt(name.replace(".log", "")))
              .max()
              .orElseThrow();
    }
    List<Path> traps = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      Path trap = directory.resolve(String.format("%06d.log", number + i));
      traps.add(Files.createSymbolicLink(trap, Path.of("/dev/full")));
    }
    return traps;
  }

  @RepeatedTest(5)
  void shouldAcknowledgeNothingAfterAFailedReadOfTheRules() {
    // given
    EmbeddedBroker broker = open(store);
    Load load = new Load(broker, () -> false);
    load.start();
    eventually(() -> assertThat(load.settled()).isGreaterThan(WARM_UP));

    // when
    store.failReads(new StoreException("A sector cannot be read.", null));
    load.finish();

    // then
    load.assertAllStopped();
    assertStopped(broker, "A sector cannot be read.");
    closeInTime(broker);
    load.assertKeptBy(open(new TroubledStore(rows.reopen())));
  }

  @Test
  void shouldRefuseWhatWaitsForABatchThatFails() {
    // given: one batch being written, one being filled, and more behind it
    EmbeddedBroker broker = open(store);
    store.holdWrites();
    List<CompletableFuture<Result<Pushed>>> pushes = new ArrayList<>();
    pushes.add(Calls.start(() -> broker.push(pushOf("first"))));
    eventually(() -> assertThat(store.isHolding()).isTrue());
    for (int i = 0; i < 20; i++) {
      pushes.add(Calls.start(() -> broker.push(pushOf("later"))));
    }
    CompletableFuture<?> look = Calls.start(broker::stats);

    // when
    store.failWrites(new StoreException("The disk is full.", null));
    store.letWritesGo();

    // then
    pushes.forEach(push -> assertRefused(answerOf(push), ErrorCode.SHARD_STOPPED));
    assertThat(answerOf(look)).isInstanceOf(Result.Refused.class);
    closeInTime(broker);
  }

  @Test
  void shouldUndoACommandThatBrokeTheRulesAndGoOn() {
    // given: a partition, in which a name has to be looked up
    EmbeddedBroker broker = open(store);
    Calls.push(broker, "before");
    store.failReads(new IllegalStateException("a row makes no sense"));

    // when
    Result<Pushed> named =
        answerOf(Calls.start(() -> broker.push(PushRequest.of(message("a").transactionId("a")))));

    // then
    assertRefused(named, ErrorCode.INTERNAL);
    store.failReads(null);
    Calls.push(broker, "after");
    assertThat(broker.push(PushRequest.of(message("a").transactionId("a"))).isOk()).isTrue();
    assertThat(broker.queue(Calls.QUEUE).orThrow().counts().waiting()).isEqualTo(3);
  }

  @Test
  void shouldGoOnToDoWhatIsDueAfterThatFailed() {
    // given: a message that becomes due while the rules fail
    EmbeddedBroker broker = open(store);
    Calls.push(broker, "before");
    broker.push(PushRequest.of(message("a").delayMs(50))).orThrow();
    store.failReads(new IllegalStateException("a row makes no sense"));
    eventually(() -> assertThat(store.readFailures()).isPositive());

    // when
    store.failReads(null);

    // then: without any other command
    eventually(
        () -> assertThat(broker.queue(Calls.QUEUE).orThrow().counts().waiting()).isEqualTo(2));
  }

  @Test
  void shouldLetNobodyWaitInAStoppedBroker() {
    // given
    EmbeddedBroker broker = open(store);
    Calls.push(broker, "a");
    String lease = broker.pop(one()).orThrow().leaseId();
    CompletableFuture<Result<Popped>> pop = Calls.park(broker, one().waitMs(LONG_MS));
    CompletableFuture<?> extend =
        Calls.start(() -> broker.extend(new ExtendRequest(lease, LONG_MS, LONG_MS)));
    CompletableFuture<Result<StoredRecord>> record =
        Calls.start(() -> broker.record(new RecordRequest("key", 0, LONG_MS)));
    eventually(() -> assertThat(Calls.stats(broker).parkedPops()).isEqualTo(3));

    // when
    store.failWrites(new StoreException("The disk is full.", null));
    assertRefused(broker.push(pushOf("b")), ErrorCode.SHARD_STOPPED);

    // then
    assertRefused(answerOf(pop), ErrorCode.SHARD_STOPPED);
    assertRefused((Result<?>) answerOf(extend), ErrorCode.SHARD_STOPPED);
    assertRefused(answerOf(record), ErrorCode.SHARD_STOPPED);
  }

  @Test
  void shouldRefuseAReadThatFails() {
    // given
    EmbeddedBroker broker = open(store);
    Calls.push(broker, "a");

    for (Throwable error :
        List.of(new StoreException("A row could not be read.", null), new AssertionError("odd"))) {
      // when
      store.failSnapshots(error);

      // then
      assertRefused(
          answerOf(Calls.start(() -> broker.browse(BrowseRequest.queue(Calls.QUEUE)))),
          ErrorCode.READ_FAILED);
      assertRefused(
          answerOf(Calls.start(() -> broker.record(new RecordRequest("key", 0, LONG_MS)))),
          ErrorCode.READ_FAILED);
      assertRefused(
          answerOf(Calls.start(() -> broker.journal(new JournalRequest("journal", 0, 10)))),
          ErrorCode.READ_FAILED);
    }
    assertThat(broker.push(pushOf("b")).isOk()).as("pushes go on").isTrue();
  }

  @Test
  void shouldBlameTheCallerForAPageThatNoPageLedTo() {
    // given
    EmbeddedBroker broker = open(store);
    Calls.push(broker, "a");

    // then
    assertThatThrownBy(
            () ->
                broker.deadLetters(
                    new DeadLettersRequest(DeadLetterFilter.queue(Calls.QUEUE), "odd", 10)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("after");
    assertThatThrownBy(() -> broker.tasks(new TasksRequest(Calls.QUEUE, null, "1-odd", 10)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("after");
  }

  private static void assertStopped(EmbeddedBroker broker, String why) {
    Result<Pushed> push = broker.push(pushOf("late"));
    assertRefused(push, ErrorCode.SHARD_STOPPED);
    assertThat(push.refusal().detail()).contains(why).contains("start it again");
    assertRefused(broker.pop(one().waitMs(LONG_MS)), ErrorCode.SHARD_STOPPED);
    assertRefused(
        broker.settle(SettleRequest.of(Settle.ackAll("AAAAAAAAAAA"))), ErrorCode.SHARD_STOPPED);
    assertRefused(broker.queue(Calls.QUEUE), ErrorCode.SHARD_STOPPED);
    assertRefused(broker.stats(), ErrorCode.SHARD_STOPPED);
  }
}
