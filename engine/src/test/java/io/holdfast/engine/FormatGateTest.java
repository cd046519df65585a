package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.engine.Orderer.OrderedTasks;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Entry;
import io.holdfast.engine.command.FormatLevels;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.UnknownFormatException;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.engine.store.RocksStore;
import io.holdfast.engine.store.RocksTuning;
import io.holdfast.engine.store.Store;
import io.holdfast.engine.store.StoreException;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.Tx;
import io.holdfast.engine.verify.Verify;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node does with formats that only another version knows: it stops, or does not start. */
class FormatGateTest {
  private static final FormatLevels NEXT = new FormatLevels(1, 3);
  private static final int NEWEST = FormatLevels.KNOWN.newest();

  @TempDir Path parent;

  private static Applier applier(Store store) {
    return new Applier(store, 1 << 20, Durability.OS, effects -> {}, () -> {}, NEXT, false);
  }

  /** An entry of a level, and what was asked for it. */
  private static OrderedTasks entry(int level, Command... commands) {
    List<Task> tasks = new ArrayList<>();
    List<Entry.Ordered> ordered = new ArrayList<>();
    for (Command command : commands) {
      tasks.add(Task.Apply.of(command));
      ordered.add(new Entry.Ordered(1, 1, command));
    }
    return new OrderedTasks(new Entry(level, ordered), tasks);
  }

  private static void apply(Applier applier, Store store, OrderedTasks entry) {
    Batch batch = applier.begin();
    applier.apply(entry, batch, 1);
    applier.finish(batch);
    store.write(batch.tx, false);
    batch.release();
  }

  @Test
  void shouldBeginWithTheLevelOfTheFirstEntry() {
    // given
    MemoryStore store = new MemoryStore();
    Applier applier = applier(store);

    // when
    apply(applier, store, entry(1, new Command.OpenSession()));

    // then
    assertThat(applier.state().format()).isEqualTo(1);
    assertThat(applier(store).state().format()).isEqualTo(1);
  }

  @Test
  void shouldBeginWithThatLevelAlsoIfACommandOfTheFirstBatchIsUndone() {
    // given
    MemoryStore rows = new MemoryStore();
    TroubledStore store = new TroubledStore(rows);
    Applier applier = applier(store);
    Batch batch = applier.begin();
    applier.apply(entry(1, new Command.OpenSession(), new Command.RaiseFormat(2)), batch, 1);

    // when
    OrderedTasks failing = entry(2, new Command.OpenSession());
    store.failAfterCalls(0);
    applier.apply(failing, batch, 1);
    store.failAfterCalls(-1);
    assertThat(applier.state().format()).isEqualTo(2);
    applier.apply(entry(1, new Command.Tick(null)), batch, 1);
    applier.finish(batch);
    store.write(batch.tx, false);
    batch.release();

    // then
    assertThat(((Task.Apply) failing.tasks().getFirst()).answer().await())
        .isInstanceOfSatisfying(
            Reply.Refused.class,
            refused -> assertThat(refused.refusal().code()).isEqualTo(ErrorCode.INTERNAL));
    assertThat(applier(rows).state().format()).isEqualTo(2);
  }

  @Test
  void shouldApplyEntriesThatWereOrderedBeforeTheLevelWasRaised() {
    // given
    MemoryStore store = new MemoryStore();
    Applier applier = applier(store);
    apply(applier, store, entry(1, new Command.RaiseFormat(2)));

    // when
    apply(applier, store, entry(1, new Command.OpenSession()));

    // then
    assertThat(applier.state().format()).isEqualTo(2);
    assertThat(applier.state().appliedIndex()).isEqualTo(2);
  }

  @Test
  void shouldStopAtAnEntryWhoseLevelTheShardHasNotReached() {
    // given
    MemoryStore store = new MemoryStore();
    Applier applier = applier(store);
    apply(applier, store, entry(1, new Command.OpenSession()));

    // then
    assertThatThrownBy(() -> apply(applier, store, entry(2, new Command.OpenSession())))
        .isInstanceOf(UnknownFormatException.class)
        .hasMessageStartingWith("An entry has format level 2, and this shard has level 1:");
    assertThat(applier.state().appliedIndex()).isEqualTo(1);
  }

  @Test
  void shouldStopAtAnEntryOfALevelThatItDoesNotKnow() {
    // given
    MemoryStore store = new MemoryStore();

    // then
    assertThatThrownBy(() -> apply(applier(store), store, entry(4, new Command.OpenSession())))
        .isInstanceOf(UnknownFormatException.class)
        .hasMessage(
            "An entry has format level 4, and this version of Holdfast knows the levels 1 to 3."
                + " Run the newer version that wrote it.");
  }

  @Test
  void shouldStopAShardWithTheReasonAndTheRemedy() {
    Shard shard =
        new Shard(
            new MemoryStore(),
            EngineConfig.inMemory(),
            TimeSource.SYSTEM,
            effects -> {},
            new Shard.Listener() {},
            null);
    try (shard) {
      // given
      shard.start();

      // when
      Reply reply = shard.apply(new Command.RaiseFormat(NEWEST + 1));

      // then
      assertThat(reply)
          .isInstanceOfSatisfying(
              Reply.Refused.class,
              refused -> {
                assertThat(refused.refusal().code()).isEqualTo(ErrorCode.SHARD_STOPPED);
                assertThat(refused.refusal().detail())
                    .contains("The command RaiseFormat has format level " + (NEWEST + 1))
                    .endsWith("Run the newer version that wrote it.");
              });
    }
  }

  @Test
  void shouldRefuseToRaiseTheLevelToOneThatItDoesNotKnowAndGoOn() {
    try (EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.inMemory())) {
      // when
      Result<Integer> unknown = broker.raiseFormat(NEWEST + 1);
      Result<Integer> lower = broker.raiseFormat(NEWEST - 1);
      Result<Integer> same = broker.raiseFormat(NEWEST);

      // then
      assertThat(unknown.refusal().code()).isEqualTo(ErrorCode.UNSUPPORTED);
      assertThat(lower.refusal().code()).isEqualTo(ErrorCode.WRONG_STATE);
      assertThat(same.orThrow()).isEqualTo(NEWEST);
    }
  }

  private Path written(byte[] key, byte[] row) {
    Path directory = parent.resolve("data");
    try (EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.at(directory))) {
      broker.push(PushRequest.of(NewMessage.to("orders", new byte[1]))).orThrow();
    }
    try (RocksStore store = RocksStore.open(directory, RocksTuning.MODEST)) {
      Tx batch = store.begin();
      batch.put(key, row);
      store.write(batch, true);
    }
    return directory;
  }

  @Test
  void shouldNeitherOpenNorVerifyNorRepairDataOfALevelThatItDoesNotKnow() {
    // given
    Path directory = written(Tables.meta("level"), new ByteWriter(1).varint(NEWEST + 1).done());
    String sentence = FormatLevels.KNOWN.explain("The store", NEWEST + 1);

    // then
    assertThatThrownBy(() -> EmbeddedBroker.open(EngineConfig.at(directory)))
        .isInstanceOf(StoreException.class)
        .hasMessage(sentence);
    assertThatThrownBy(() -> Verify.directory(directory))
        .isInstanceOf(StoreException.class)
        .hasMessage(sentence);
    assertThatThrownBy(() -> ClockRepair.dryRun(directory, 1))
        .isInstanceOf(StoreException.class)
        .hasMessage(sentence);
    assertThatThrownBy(() -> ClockRepair.run(directory, 1))
        .isInstanceOf(StoreException.class)
        .hasMessage(sentence);
  }

  @Test
  void shouldNotOpenDataWithAnOptionThatItDoesNotKnow() {
    // given
    ByteWriter row = new ByteWriter(32).text("orders").varint(1).flag(false).varint(1).varint(0);
    row.varint(0).maybe(null).varint(1).text("color").byte1('b').flag(true);
    Path directory = written(Tables.queue(1), row.done());

    // then
    assertThatThrownBy(() -> EmbeddedBroker.open(EngineConfig.at(directory)))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("The queue orders has the option color = true");
  }
}
