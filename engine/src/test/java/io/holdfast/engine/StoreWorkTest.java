package io.holdfast.engine;

import static io.holdfast.engine.Calls.QUEUE;
import static io.holdfast.engine.Calls.answerOf;
import static io.holdfast.engine.Calls.eventually;
import static io.holdfast.engine.Calls.one;
import static io.holdfast.engine.Calls.push;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.TimeSource;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.RecordsRequest;
import io.holdfast.api.dead.DeadErrorsRequest;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.task.TasksRequest;
import io.holdfast.engine.store.RocksStore;
import io.holdfast.engine.store.RocksTuning;
import io.holdfast.testkit.WaitLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Long work on the store holds up no short read. */
@Timeout(WaitLimits.TEST_SECONDS)
class StoreWorkTest {
  @TempDir Path temp;
  private final List<CompletableFuture<?>> held = new ArrayList<>();
  private TroubledStore store;
  private EmbeddedBroker broker;

  @BeforeEach
  void open() {
    // On a disk: a store in memory makes no checkpoints.
    Path data = temp.resolve("data");
    store = new TroubledStore(RocksStore.open(data, RocksTuning.MODEST));
    broker = EmbeddedBroker.open(EngineConfig.at(data), TimeSource.SYSTEM, store);
  }

  @AfterEach
  void close() {
    openGates();
    Calls.closeInTime(broker);
  }

  private void openGates() {
    store.checkpoints().open();
    store.reclaims().open();
    store.deadScans().open();
  }

  @Test
  void shouldReadDuringACheckpointAndACompaction() {
    // given: more of both than there are threads
    fill();
    holdCheckpoints(3);
    holdReclaims(3);

    // then
    assertReadsAnswer();
    assertThat(answerOf(Calls.start(this::countDead))).isOne();
    assertThat(held).noneMatch(CompletableFuture::isDone);

    // when
    openGates();

    // then
    held.forEach(Calls::answerOf);
    eventually(() -> assertThat(store.reclaimed()).isEqualTo(3));
  }

  @Test
  void shouldReadDuringSearchesThroughAllDeadLetters() {
    // given: more than there are threads
    fill();
    store.deadScans().close();
    for (int i = 0; i < 4; i++) {
      held.add(Calls.startAndSubmit(this::countDead));
      held.add(
          Calls.startAndSubmit(
              () -> broker.deadErrors(new DeadErrorsRequest(QUEUE, null, 1_000)).orThrow()));
    }
    eventually(() -> assertThat(store.deadScans().arrived()).isPositive());

    // then
    assertReadsAnswer();
    assertThat(held).noneMatch(CompletableFuture::isDone);

    // when
    openGates();

    // then
    held.forEach(Calls::answerOf);
  }

  /** A queue with a message and a dead letter, a record, and a journal. */
  private void fill() {
    push(broker, "dies");
    Handle dies = broker.pop(one()).orThrow().messages().getFirst().handle();
    broker.settle(SettleRequest.of(Settle.kill(dies, "bad"))).orThrow();
    push(broker, "stays");
    broker
        .commit(
            CommitRequest.of(
                new Operation.PutRecord("record", 0, new byte[] {1}),
                new Operation.AppendJournal("journal", 0, List.of(new byte[] {2}))))
        .orThrow();
  }

  private void holdCheckpoints(int count) {
    store.checkpoints().close();
    for (int i = 0; i < count; i++) {
      Path copy = temp.resolve("copy" + i);
      held.add(
          Calls.startAndSubmit(
              () -> {
                broker.checkpoint(copy);
                return copy;
              }));
    }
    eventually(() -> assertThat(store.checkpoints().arrived()).isPositive());
  }

  private void holdReclaims(int count) {
    store.reclaims().close();
    for (int i = 0; i < count; i++) {
      broker.configure(ConfigureRequest.queue("gone")).orThrow();
      broker.deleteQueue("gone").orThrow();
    }
    eventually(() -> assertThat(store.reclaims().arrived()).isPositive());
  }

  private long countDead() {
    DeadLetterFilter filter = DeadLetterFilter.queue(QUEUE).errorContains("bad");
    return broker.requeue(new RequeueRequest(filter, true)).orThrow().count();
  }

  private void assertReadsAnswer() {
    List<Supplier<Object>> reads =
        List.of(
            () -> broker.record(new RecordRequest("record", -1, 0)).orThrow(),
            () -> broker.records(new RecordsRequest("", null, 10)).orThrow(),
            () -> broker.journal(new JournalRequest("journal", 0, 10)).orThrow(),
            () -> broker.browse(BrowseRequest.queue(QUEUE)).orThrow(),
            () -> broker.groups(GroupsRequest.ofQueue(QUEUE)).orThrow(),
            () -> broker.tasks(new TasksRequest(QUEUE, null, null, 10)).orThrow());
    for (Supplier<Object> read : reads) {
      assertThat(answerOf(Calls.start(read))).isNotNull();
    }
  }
}
