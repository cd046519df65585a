package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.engine.store.ReplaceableStore;
import io.holdfast.engine.store.RocksTuning;
import io.holdfast.engine.store.Store;
import io.holdfast.engine.store.StoreException;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Brokers whose entries are ordered by a log that they share. */
@Timeout(WaitLimits.TEST_SECONDS)
class ReplicatedBrokerTest {
  private final SharedLog log = new SharedLog();
  private final List<EmbeddedBroker> open = new ArrayList<>();

  private record Node(SharedLog.Node log, EmbeddedBroker broker, Store store) {}

  private Node start(Store store) {
    return start(store, TimeSource.SYSTEM, EngineConfig.inMemory());
  }

  private Node start(Store store, TimeSource time, EngineConfig config) {
    SharedLog.Node node = log.node();
    EmbeddedBroker broker = EmbeddedBroker.openReplica(config, time, store, node);
    open.add(broker);
    node.join(broker.replica());
    return new Node(node, broker, store);
  }

  private Node lead(Node node) {
    log.elect(node.log);
    await().until(node.broker.replica()::isLeading);
    return node;
  }

  @AfterEach
  void close() {
    log.release().forEach(held -> held.proposal().refused());
    open.forEach(EmbeddedBroker::close);
  }

  private static Result<Pushed> push(Node node, String payload) {
    return node.broker.push(
        PushRequest.of(NewMessage.to("q", payload.getBytes(StandardCharsets.UTF_8))));
  }

  private static Result<Popped> pop(Node node) {
    return node.broker.pop(PopRequest.queue("q"));
  }

  @Test
  void shouldApplyWhatTheLeaderTookOnEveryNode() {
    // given
    Node leader = start(new MemoryStore());
    Node follower = start(new MemoryStore());
    lead(leader);

    // when
    push(leader, "a").orThrow();
    push(leader, "b").orThrow();
    Popped popped = pop(leader).orThrow();
    leader
        .broker
        .settle(SettleRequest.of(Settle.ack(popped.messages().getFirst().handle())))
        .orThrow();

    // then
    await()
        .untilAsserted(
            () ->
                assertThat(follower.broker.replica().applied())
                    .isEqualTo(leader.broker.replica().applied()));
    assertThat(StoreRowsText.of(follower.store))
        .isEqualTo(StoreRowsText.of(leader.store))
        .isNotEmpty();
  }

  @Test
  void shouldRefuseCallsOnANodeThatDoesNotLead() {
    // given
    Node leader = start(new MemoryStore());
    Node follower = start(new MemoryStore());
    lead(leader);

    // then
    assertThat(push(follower, "a").refusal().code()).isEqualTo(ErrorCode.NOT_LEADER);
    assertThat(pop(follower).refusal().code()).isEqualTo(ErrorCode.NOT_LEADER);
    assertThat(follower.broker.stats().refusal().code()).isEqualTo(ErrorCode.NOT_LEADER);
    assertThat(follower.broker.record(RecordRequest.of("key")).refusal().code())
        .isEqualTo(ErrorCode.NOT_LEADER);
  }

  @Test
  void shouldContinueAtAnotherLeader() {
    // given
    Node first = start(new MemoryStore());
    Node second = start(new MemoryStore());
    lead(first);
    push(first, "a").orThrow();

    // when
    lead(second);

    // then
    assertThat(push(first, "b").refusal().code()).isEqualTo(ErrorCode.NOT_LEADER);
    assertThat(pop(second).orThrow().messages()).hasSize(1);
  }

  @Test
  void shouldTakeNoCallsBeforeTheEntriesOfEarlierTermsAreAppliedIfItLeadsAgainMeanwhile() {
    // given: a node that loses the lead and leads again while it takes over the clock
    AtomicReference<@Nullable Runnable> onApplyThread = new AtomicReference<>();
    Node node =
        start(
            new MemoryStore(),
            new TimeSource() {
              @Override
              public long wallMs() {
                if (Thread.currentThread().getName().equals("holdfast-apply")) {
                  Runnable next = onApplyThread.getAndSet(null);
                  if (next != null) {
                    next.run();
                  }
                }
                return SYSTEM.wallMs();
              }

              @Override
              public long nanos() {
                return SYSTEM.nanos();
              }

              @Override
              public void parkUntil(long deadlineNanos) {
                SYSTEM.parkUntil(deadlineNanos);
              }
            },
            EngineConfig.inMemory());
    Replica replica = node.broker.replica();
    CompletableFuture<Boolean> tookCalls = new CompletableFuture<>();
    onApplyThread.set(
        () -> {
          onApplyThread.set(() -> tookCalls.complete(replica.isLeading()));
          replica.follow();
          replica.lead(8);
        });

    // when
    replica.lead(7);

    // then
    assertThat(tookCalls.join()).isFalse();
    await().until(replica::isLeading);
  }

  @Test
  void shouldStopANodeThatCannotReadWhatOthersCan() {
    // given
    TroubledStore store = new TroubledStore(new MemoryStore());
    EngineConfig config = EngineConfig.inMemory();
    EngineConfig withoutCache =
        new EngineConfig(
            null,
            config.durability(),
            config.payloadBytesMax(),
            config.requestBytesMax(),
            config.mailboxMax(),
            config.mailboxBytesMax(),
            0,
            config.retainedBytesMax(),
            config.queuesMax(),
            config.partitionsMax(),
            config.groupsMax(),
            config.parkedMax());
    Node leader = lead(start(new MemoryStore()));
    Node follower = start(store, TimeSource.SYSTEM, withoutCache);
    push(leader, "a").orThrow();
    await()
        .untilAsserted(
            () ->
                assertThat(follower.broker.replica().applied())
                    .isEqualTo(leader.broker.replica().applied()));

    // when
    store.failReads(new StoreException("A row could not be read.", null));
    pop(leader).orThrow();

    // then
    await().untilAsserted(() -> assertThat(follower.broker.failure()).contains("A row"));
  }

  @Test
  void shouldEndTheWaitOfAPopWhenTheLeadIsLost() throws Exception {
    // given
    Node first = start(new MemoryStore());
    Node second = start(new MemoryStore());
    lead(first);
    CompletableFuture<Result<Popped>> waiting =
        first.broker.popAsync(PopRequest.queue("q").waitMs(60_000)).toCompletableFuture();
    await().until(() -> first.broker.stats().orThrow().parkedPops() == 1);

    // when
    lead(second);

    // then
    assertThat(waiting.get().refusal().code()).isEqualTo(ErrorCode.NOT_LEADER);
  }

  @Test
  void shouldWakeAParkedPopByAPush() throws Exception {
    // given
    Node leader = lead(start(new MemoryStore()));
    CompletableFuture<Result<Popped>> waiting =
        leader.broker.popAsync(PopRequest.queue("q").waitMs(60_000)).toCompletableFuture();
    await().until(() -> leader.broker.stats().orThrow().parkedPops() == 1);

    // when
    push(leader, "a").orThrow();

    // then
    assertThat(waiting.get().orThrow().messages()).hasSize(1);
  }

  @Test
  void shouldAnswerNothingBeforeItsEntryIsCommitted() {
    // given
    Node leader = lead(start(new MemoryStore()));
    push(leader, "a").orThrow();
    log.hold();

    // when
    CompletableFuture<Result<Pushed>> pushed = later(() -> push(leader, "b"));
    CompletableFuture<?> read = later(leader.broker::stats);
    await().until(() -> log.heldCount() > 0);

    // then
    assertThat(pushed).isNotDone();
    assertThat(read).isNotDone();
    log.release().forEach(log::commit);
    assertThat(pushed.join().isOk()).isTrue();
    assertThat(read).succeedsWithin(WaitLimits.EVENT);
  }

  @Test
  void shouldTellWhetherAProposalWithoutOutcomeMayHaveHadAnEffect() {
    // given
    Node leader = lead(start(new MemoryStore()));
    push(leader, "a").orThrow();
    log.hold();
    CompletableFuture<Result<Pushed>> refused = later(() -> push(leader, "b"));
    await().until(() -> log.heldCount() == 1);
    CompletableFuture<Result<Pushed>> unknown = later(() -> push(leader, "c"));
    await().until(() -> log.heldCount() == 2);

    // when
    List<SharedLog.Held> held = log.release();
    held.get(0).proposal().refused();
    held.get(1).proposal().unknown();

    // then
    assertThat(refused.join().refusal().code()).isEqualTo(ErrorCode.NOT_LEADER);
    assertThat(unknown.join().refusal().code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);

    // when: the second one is committed all the same
    log.commit(held.get(1));

    // then
    assertThat(pop(leader).orThrow().messages()).hasSize(1);
    assertThat(leader.broker.stats().orThrow().totals().pushed()).isEqualTo(2);
  }

  @Test
  void shouldReadRecordsThatAreCommittedLaterThanTheReadBegan() {
    // given
    Node leader = lead(start(new MemoryStore()));
    put(leader, "1");
    log.hold();
    CompletableFuture<?> written = later(() -> put(leader, "2"));
    await().until(() -> log.heldCount() == 1);

    // when
    CompletableFuture<String> read =
        later(
            () ->
                new String(
                    leader.broker.record(RecordRequest.of("key")).orThrow().value(),
                    StandardCharsets.UTF_8));
    await().until(() -> log.heldCount() == 2);
    log.release().forEach(log::commit);

    // then
    assertThat(read.join()).isEqualTo("2");
    written.join();
  }

  private static <T> CompletableFuture<T> later(Supplier<T> call) {
    return CompletableFuture.supplyAsync(call, Thread::startVirtualThread);
  }

  private static Committed put(Node node, String value) {
    return node.broker
        .commit(
            CommitRequest.of(
                new Operation.PutRecord(
                    "key", Operation.ANY_VERSION, value.getBytes(StandardCharsets.UTF_8))))
        .orThrow();
  }

  @Test
  void shouldReadAgainFromTheLogWhatAKillHasLost(@TempDir Path temp) throws IOException {
    // given: a store without a log, from which nothing was flushed since its first messages
    Path data = temp.resolve("data");
    Node node = lead(start(ReplaceableStore.open(data, RocksTuning.REPLICA)));
    push(node, "flushed").orThrow();
    assertThat(node.broker.replica().flush()).isEqualTo(node.broker.replica().applied());
    push(node, "in the log").orThrow();
    Path copy = copy(data, temp.resolve("copy"));

    // when
    Node again = start(ReplaceableStore.open(copy, RocksTuning.REPLICA));
    lead(again);

    // then
    assertThat(again.broker.replica().applied().index()).isEqualTo(log.size());
    assertThat(again.broker.stats().orThrow().totals().pushed()).isEqualTo(1);
    assertThat(pop(again).orThrow().messages()).hasSize(1);
  }

  /** The files as a kill at this moment would leave them; nothing is written meanwhile. */
  private static Path copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
      for (Path file : files) {
        Files.copy(file, to.resolve(String.valueOf(file.getFileName())));
      }
    }
    return to;
  }
}
