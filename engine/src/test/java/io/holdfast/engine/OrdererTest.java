package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.TimeSource;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.engine.Orderer.OrderedTasks;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Command.Part;
import io.holdfast.engine.command.Command.Tick.SweepFrom;
import io.holdfast.engine.command.Entry;
import io.holdfast.engine.command.FormatLevels;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.store.MemoryStore;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which commands get into an entry of the log, and which are answered without one. */
class OrdererTest {
  private final MemoryStore store = new MemoryStore();
  private final Mailbox mailbox = new Mailbox(1_000, 1 << 20);
  private final Orderer orderer =
      new Orderer(mailbox, new StampClock(TimeSource.SYSTEM, 0), () -> FormatLevels.KNOWN.newest());
  private final Applier applier =
      new Applier(store, 0, Durability.FSYNC, effects -> {}, () -> {}, FormatLevels.KNOWN, true);

  private Task.Apply submit(Command command) {
    Task.Apply task = Task.Apply.of(command);
    mailbox.add(task);
    return task;
  }

  /** Orders and applies what waits; answers which commands the entry has. */
  private List<Command> orderAll() {
    Batch batch = applier.begin();
    OrderedTasks ordered =
        Objects.requireNonNull(
            orderer.next(
                true,
                (task, encrypting) ->
                    applier.screen(task, encrypting, batch, System::currentTimeMillis)));
    applier.apply(ordered, batch, System.currentTimeMillis());
    applier.finish(batch);
    store.write(batch.tx, batch.sync);
    batch.release();
    return ordered.entry().commands().stream().map(Entry.Ordered::command).toList();
  }

  private static Command encrypt(boolean on) {
    return new Command.ConfigureQueue(ConfigureRequest.queue("q").set(QueueOption.ENCRYPTION, on));
  }

  private static Command push() {
    NewMessage message = NewMessage.to("q", new byte[] {1});
    return new Command.PushMessages(Packed.of(List.of(message)), 1, null);
  }

  private static Command commit() {
    NewMessage message = NewMessage.to("q", new byte[] {1});
    Part push = new Part.Push(Packed.of(List.of(message)).getFirst(), false);
    Part record = new Part.Other(new Operation.PutRecord("k", Operation.ANY_VERSION, new byte[1]));
    return new Command.CommitOperations(List.of(record, push), null);
  }

  @Test
  void shouldKeepClearPayloadsForEncryptedQueuesOutOfEntries() {
    // given
    submit(encrypt(true));
    orderAll();

    // when
    Task.Apply push = submit(push());
    Task.Apply commit = submit(commit());

    // then
    assertThat(orderAll()).isEmpty();
    assertThat(push.answer().await()).isEqualTo(new Reply.Unsealed(Set.of("q")));
    assertThat(commit.answer().await()).isEqualTo(new Reply.Unsealed(Set.of("q")));
  }

  @Test
  void shouldKeepClearPayloadsOutWhileEncryptionIsBeingTurnedOn() {
    // when a push is ordered with the command before it that turns encryption on
    Task.Apply configure = submit(encrypt(true));
    Task.Apply push = submit(push());

    // then
    assertThat(orderAll()).containsExactly(configure.command());
    assertThat(push.answer().await()).isEqualTo(new Reply.Unsealed(Set.of("q")));

    // when it is turned off
    submit(encrypt(false));
    orderAll();
    Task.Apply clear = submit(push());

    // then
    assertThat(orderAll()).containsExactly(clear.command());
    assertThat(clear.answer().await()).isInstanceOf(Reply.PushedMessages.class);
  }

  @Test
  void shouldMakeNoEntryForPopsThatFindNothing() {
    // given a group
    submit(new Command.PopMessages(PopRequest.queue("q")));
    assertThat(orderAll()).hasSize(1);

    // when a thousand pops come at once
    List<Task.Apply> pops =
        IntStream.range(0, 1_000)
            .mapToObj(i -> submit(new Command.PopMessages(PopRequest.queue("q"))))
            .toList();

    // then
    assertThat(orderAll()).isEmpty();
    assertThat(pops)
        .allSatisfy(
            pop -> assertThat(((Reply.PoppedMessages) pop.answer().await()).messages()).isEmpty());
    assertThat(applier.state().position().index()).isEqualTo(1);
  }

  @Test
  void shouldMakeNoEntryForTicksWithNothingToDo() {
    // given a message that is neither due nor old
    submit(push());
    orderAll();

    // when
    Task.Apply tick = submit(new Command.Tick(null));
    Task.Apply sweep = submit(new Command.Tick(SweepFrom.START));

    // then
    assertThat(orderAll()).isEmpty();
    assertThat(tick.answer().await()).isEqualTo(new Reply.Ticked(false));
    assertThat(sweep.answer().await()).isEqualTo(new Reply.Ticked(false));
  }

  @Test
  void shouldRefuseACommandThatFailsBeforeItIsOrdered() {
    // given
    Task.Apply pop = Task.Apply.of(new Command.PopMessages(PopRequest.queue("q")));

    // when
    Task screened =
        applier.screen(
            pop,
            Set.of(),
            applier.begin(),
            () -> {
              throw new IllegalStateException("planted");
            });

    // then
    assertThat(screened)
        .isInstanceOfSatisfying(
            Task.Answered.class,
            answered ->
                assertThat(((Reply.Refused) answered.reply()).refusal().code())
                    .isEqualTo(ErrorCode.INTERNAL));
  }

  @Test
  void shouldMakeOneEntryOfAllThatWaits() {
    // given a message, and many pops that may take it
    submit(push());
    orderAll();
    for (int i = 0; i < 500; i++) {
      submit(new Command.PopMessages(PopRequest.queue("q")));
    }

    // when
    int commands = orderAll().size();

    // then
    assertThat(commands).isEqualTo(500);
    assertThat(applier.state().position().index()).isEqualTo(2);
  }
}
