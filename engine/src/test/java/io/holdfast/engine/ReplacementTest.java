package io.holdfast.engine;

import static io.holdfast.engine.Calls.QUEUE;
import static io.holdfast.engine.Calls.answerOf;
import static io.holdfast.engine.Calls.assertRefused;
import static io.holdfast.engine.Calls.eventually;
import static io.holdfast.engine.Calls.many;
import static io.holdfast.engine.Calls.one;
import static io.holdfast.engine.Calls.park;
import static io.holdfast.engine.Calls.payloads;
import static io.holdfast.engine.Calls.push;
import static io.holdfast.engine.Calls.pushOf;
import static io.holdfast.engine.Calls.stats;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.api.dead.DeadErrors;
import io.holdfast.api.dead.DeadErrorsRequest;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.LogPosition;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.seal.Keys;
import io.holdfast.engine.store.ReplaceableStore;
import io.holdfast.engine.store.RocksTuning;
import io.holdfast.engine.store.StoreException;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker that replaces its data by a checkpoint while it runs. */
@Timeout(WaitLimits.TEST_SECONDS)
class ReplacementTest {
  private static final long LONG_MS = 60_000;
  private static final LogPosition LATER = new LogPosition(3, 1_000_000);

  @TempDir Path temp;
  private final ManualClock clock = new ManualClock();
  private final List<EmbeddedBroker> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(Calls::closeInTime);
  }

  private EmbeddedBroker open() {
    return open(EngineConfig.at(temp.resolve("data")));
  }

  private EmbeddedBroker open(EngineConfig config) {
    EmbeddedBroker broker = EmbeddedBroker.open(config, clock);
    opened.add(broker);
    return broker;
  }

  private Path later(LaterCheckpoint.Filling filling) {
    return LaterCheckpoint.make(temp.resolve("other"), LATER, clock, filling);
  }

  @Test
  void shouldContinueWithTheDataOfACheckpointAlsoAfterARestart() {
    // given
    EmbeddedBroker broker = open();
    push(broker, "old");
    Path checkpoint = later(other -> push(other, "new"));

    // when
    LogPosition position = broker.replaceWith(checkpoint);
    push(broker, "later");

    // then
    assertThat(position).isEqualTo(LATER);
    assertThat(checkpoint).doesNotExist();
    broker.close();
    EmbeddedBroker again = open();
    assertThat(payloads(again.pop(many()).orThrow())).containsExactly("new", "later");
    assertThat(again.checkpoint(temp.resolve("copy")).index()).isGreaterThan(LATER.index());
  }

  @Test
  void shouldGiveAParkedPopAMessageThatOnlyTheNewDataHave() {
    // given
    EmbeddedBroker broker = open();
    CompletableFuture<Result<Popped>> parked = park(broker, one().waitMs(LONG_MS));

    // when
    broker.replaceWith(later(other -> push(other, "new")));

    // then
    assertThat(payloads(answerOf(parked).orThrow())).containsExactly("new");
  }

  @Test
  void shouldShowAWaitingReaderOfARecordItsNewerVersion() {
    // given
    EmbeddedBroker broker = open();
    put(broker, 0);
    CompletableFuture<Result<StoredRecord>> waiting =
        Calls.start(() -> broker.record(new RecordRequest("record", 1, LONG_MS)));
    eventually(() -> assertThat(stats(broker).parkedPops()).isOne());

    // when
    broker.replaceWith(
        later(
            other -> {
              put(other, 0);
              put(other, 1);
            }));

    // then
    assertThat(answerOf(waiting).orThrow().version()).isEqualTo(2);
  }

  private static void put(Broker broker, int version) {
    broker
        .commit(CommitRequest.of(new Operation.PutRecord("record", version, new byte[] {1})))
        .orThrow();
  }

  @Test
  void shouldTellAWaitingExtendThatTheLeaseIsNotInTheNewData() {
    // given
    EmbeddedBroker broker = open();
    push(broker, "old");
    String lease = broker.pop(one()).orThrow().leaseId();
    CompletableFuture<Result<Extended>> waiting =
        Calls.start(() -> broker.extend(new ExtendRequest(lease, LONG_MS, LONG_MS)));
    eventually(() -> assertThat(stats(broker).parkedPops()).isOne());

    // when
    broker.replaceWith(later(other -> push(other, "new")));

    // then
    assertRefused(answerOf(waiting), ErrorCode.STALE_LEASE);
  }

  @Test
  void shouldLetAReadUnderWayEndWithTheOldData() {
    // given: a search that is held in the middle of a page
    Path data = temp.resolve("data");
    TroubledStore store = new TroubledStore(ReplaceableStore.open(data, RocksTuning.MODEST));
    EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.at(data), clock, store);
    opened.add(broker);
    kill(broker, "old");
    store.deadScans().close();
    CompletableFuture<DeadErrors> search = Calls.start(() -> errors(broker));
    eventually(() -> assertThat(store.deadScans().arrived()).isOne());

    // when
    Path checkpoint = later(other -> kill(other, "new"));
    CompletableFuture<LogPosition> replacement =
        Calls.startAndSubmit(() -> broker.replaceWith(checkpoint));
    CompletableFuture<Boolean> pushed =
        Calls.startAndSubmit(() -> broker.push(pushOf("later")).isOk());
    assertThat(search).isNotDone();
    assertThat(replacement).isNotDone();
    store.deadScans().open();

    // then
    assertThat(answerOf(search).errors()).extracting(DeadErrors.Kind::error).containsExactly("old");
    assertThat(answerOf(replacement)).isEqualTo(LATER);
    assertThat(answerOf(pushed)).isTrue();
    assertThat(errors(broker).errors()).extracting(DeadErrors.Kind::error).containsExactly("new");
  }

  @Test
  void shouldStoreAndAnswerABatchBeforeItReplacesTheData() {
    // given: a batch that is being written, too large for the apply thread to write it
    Path data = temp.resolve("data");
    Path checkpoint = later(other -> push(other, "new"));
    TroubledStore store = new TroubledStore(ReplaceableStore.open(data, RocksTuning.MODEST));
    Shard shard =
        new Shard(
            store, EngineConfig.at(data), clock, effects -> {}, new Shard.Listener() {}, null);
    shard.start();
    CompletableFuture<Boolean> gate = new CompletableFuture<>();
    CompletableFuture<?> looked = Calls.startAndSubmit(() -> shard.look(view -> gate.join()));
    List<CompletableFuture<Reply>> asked =
        Stream.generate(() -> Calls.startAndSubmit(() -> shard.apply(new Command.OpenSession())))
            .limit(20)
            .toList();
    store.holdWrites();
    gate.complete(true);
    eventually(() -> assertThat(store.isHolding()).isTrue());

    // when
    CompletableFuture<Task.Answer<Optional<StoreException>>> replacement =
        Calls.startAndSubmit(() -> shard.replaceWith(checkpoint, LATER));
    eventually(() -> assertThat(shard.mailboxDepth()).isZero());
    eventually(() -> assertThat(replacement.isDone() || isApplyThreadWaiting()).isTrue());
    boolean early = replacement.isDone() || asked.getFirst().isDone();
    store.letWritesGo();

    // then
    assertThat(early).isFalse();
    assertThat(answerOf(looked)).isInstanceOf(Task.Answer.Yes.class);
    asked.forEach(reply -> assertThat(answerOf(reply)).isInstanceOf(Reply.SessionOpened.class));
    assertThat(answerOf(replacement)).isEqualTo(new Task.Answer.Yes<>(Optional.empty()));
    shard.close();
    store.close();
  }

  private static boolean isApplyThreadWaiting() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("holdfast-apply"))
        .allMatch(thread -> thread.getState() == Thread.State.WAITING);
  }

  private static void kill(Broker broker, String error) {
    push(broker, "dies");
    Popped popped = broker.pop(one()).orThrow();
    Settle settle = Settle.kill(popped.messages().getFirst().handle(), error);
    broker.settle(SettleRequest.of(settle)).orThrow();
  }

  private static DeadErrors errors(Broker broker) {
    return broker.deadErrors(new DeadErrorsRequest(QUEUE, null, 1_000)).orThrow();
  }

  @Test
  void shouldNeverGoBackInTime() {
    // given: another broker that is an hour ahead
    EmbeddedBroker broker = open();
    ManualClock ahead = new ManualClock(ManualClock.START.plus(Duration.ofHours(1)));
    Path checkpoint =
        LaterCheckpoint.make(temp.resolve("other"), LATER, ahead, other -> push(other, "new"));

    // when
    broker.replaceWith(checkpoint);
    push(broker, "later");

    // then
    assertThat(broker.browse(BrowseRequest.queue(QUEUE)).orThrow().items())
        .extracting(item -> item.message().createdMs() >= ahead.wallMs())
        .containsExactly(true, true);
    assertThat(stats(broker).clockAheadMs()).isEqualTo(Duration.ofHours(1).toMillis());
  }

  @Test
  void shouldEncryptOnlyForQueuesThatAreEncryptedInTheNewData() {
    // given
    EmbeddedBroker broker = open(EngineConfig.at(temp.resolve("data")).keys(Keys.of(new byte[32])));
    broker.configure(ConfigureRequest.queue(QUEUE).set(QueueOption.ENCRYPTION, true)).orThrow();

    // when
    broker.replaceWith(later(other -> push(other, "new")));
    push(broker, "later");

    // then
    assertThat(broker.browse(BrowseRequest.queue(QUEUE)).orThrow().items())
        .extracting(item -> item.message().seal() == null)
        .containsExactly(true, true);
  }

  @Test
  void shouldRefuseACheckpointThatIsOlderAndChangeNothing() {
    // given
    EmbeddedBroker broker = open();
    push(broker, "a");
    Path checkpoint = temp.resolve("copy");
    broker.checkpoint(checkpoint);
    push(broker, "b");

    // then
    assertThatThrownBy(() -> broker.replaceWith(checkpoint))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("a checkpoint that is older would lose data");
    assertThat(payloads(broker.pop(many()).orThrow())).containsExactly("a", "b");
    assertThat(checkpoint.resolve("CURRENT")).exists();
    assertThat(broker.failure()).isNull();
  }

  @Test
  void shouldAcceptACheckpointOfItsOwnPosition() {
    // given
    EmbeddedBroker broker = open();
    push(broker, "a");
    Path checkpoint = temp.resolve("copy");
    LogPosition position = broker.checkpoint(checkpoint);

    // then
    assertThat(broker.replaceWith(checkpoint)).isEqualTo(position);
    assertThat(payloads(broker.pop(many()).orThrow())).containsExactly("a");
  }

  @Test
  void shouldStopIfTheNewDataCannotBeOpenedAndFinishAtTheNextStart() throws IOException {
    // given: a directory where a file of the checkpoint is to be moved
    EmbeddedBroker broker = open();
    push(broker, "old");
    Path checkpoint = later(other -> push(other, "new"));
    Files.createFile(checkpoint.resolve("in-the-way"));
    Path inTheWay = Files.createDirectories(temp.resolve("data/in-the-way/directory"));
    CompletableFuture<Result<Popped>> parked =
        park(broker, PopRequest.queue("none").waitMs(LONG_MS));

    // when
    assertThatThrownBy(() -> broker.replaceWith(checkpoint))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("failed to replace its data by a checkpoint");

    // then
    assertRefused(broker.push(pushOf("later")), ErrorCode.SHARD_STOPPED);
    assertRefused(answerOf(parked), ErrorCode.SHARD_STOPPED);
    assertThat(broker.failure()).contains("replace its data by a checkpoint");
    broker.close();

    // when
    Files.delete(inTheWay);
    Files.delete(inTheWay.getParent());

    // then
    assertThat(payloads(open().pop(many()).orThrow())).containsExactly("new");
  }

  @Test
  void shouldRefuseInMemoryAndOnceClosed() {
    // given
    EmbeddedBroker inMemory = EmbeddedBroker.open(EngineConfig.inMemory(), clock);
    opened.add(inMemory);
    Path checkpoint = later(other -> push(other, "new"));

    // then
    assertThatThrownBy(() -> inMemory.replaceWith(checkpoint))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("open it on a disk");
    push(inMemory, "still here");

    // when
    inMemory.close();

    // then
    assertThatThrownBy(() -> inMemory.replaceWith(checkpoint))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("closed");
  }
}
