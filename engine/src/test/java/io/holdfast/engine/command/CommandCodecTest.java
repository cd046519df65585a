package io.holdfast.engine.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RequestNumber;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.group.SubscribeRequest;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.Position;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.task.StartRequest;
import io.holdfast.engine.command.Command.Part;
import io.holdfast.engine.command.Command.Tick.SweepFrom;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every command as bytes and back. */
class CommandCodecTest {
  private static final UUID ID = MessageId.uuid(1_700_000_000_000L, 77, 123_456);
  private static final Handle HANDLE = new Handle("AAAAAAAAAAE", new Position(5, 2, 99));
  private static final MessageRef NAMED = MessageRef.named("orders", "Zürich", "tx-1");

  static Stream<Command> commands() {
    return Stream.of(
        new Command.PushMessages(Packed.of(messages()), messages().size(), "request-1"),
        new Command.PushMessages(Packed.of(messages().subList(0, 1)), 1, null),
        new Command.PushMessages(Packed.of(messages()), messages().size(), null, NUMBER),
        new Command.OpenSession(),
        new Command.PopMessages(PopRequest.queue("q").attemptId("attempt-1")),
        new Command.PopMessages(PopRequest.queue("orders")),
        new Command.PopMessages(PopRequest.queue("orders"), Set.of(1, -1, Integer.MIN_VALUE)),
        new Command.PopMessages(everyPop(new PopSource.OnePartition("orders", "p"))),
        new Command.PopMessages(
            PopRequest.of(new PopSource.Tagged("space", null)).start(StartFrom.NEW).autoAck(true)),
        new Command.PopMessages(PopRequest.of(new PopSource.Tagged(null, "task"))),
        new Command.SettleMessages(SettleRequest.atomic(settles())),
        new Command.SettleMessages(SettleRequest.of(Settle.ackAll("AAAAAAAAAAE"))),
        new Command.ExtendLease("AAAAAAAAAAE", 60_000),
        new Command.StartTask(new StartRequest(HANDLE, "worker-1")),
        new Command.StartTask(new StartRequest(HANDLE, null)),
        new Command.CommitOperations(parts(), "request-2"),
        new Command.CommitOperations(parts().subList(0, 1), null),
        new Command.CommitOperations(parts(), null, NUMBER),
        new Command.CancelMessage(MessageRef.id(ID)),
        new Command.CancelMessage(NAMED),
        new Command.RescheduleMessage(NAMED, 1_800_000_000_000L),
        new Command.ConfigureQueue(
            ConfigureRequest.queue("orders")
                .set(QueueOption.DELIVERY, "shared")
                .set(QueueOption.TRACK, true)
                .set(QueueOption.MAX_SIZE, Long.MAX_VALUE)
                .set(QueueOption.TTL, null)
                .replacing()),
        new Command.PauseQueue("orders", true),
        new Command.PurgeQueue("orders", null, "m"),
        new Command.PurgeQueue("orders", "p", null),
        new Command.DeleteQueue("orders"),
        new Command.SeekGroup(
            new SeekRequest("orders", "g", null, new SeekRequest.To.Time(1_700_000_000_000L)),
            "p7"),
        new Command.SeekGroup(
            new SeekRequest("orders", "g", "p", new SeekRequest.To.Beginning()), null),
        new Command.SeekGroup(new SeekRequest("orders", "g", "p", new SeekRequest.To.End()), "m"),
        new Command.SubscribeGroup(
            new SubscribeRequest("orders", "g", new StartFrom.Time(1_700_000_000_000L))),
        new Command.SubscribeGroup(new SubscribeRequest("orders", "g", StartFrom.NEW)),
        new Command.DeleteGroup("orders", "g", 7),
        new Command.RequeueDead(
            new DeadLetterFilter("orders", "g", "p", ID, "boom", 5, 6_000_000_000_000L), 41),
        new Command.RemoveDead(DeadLetterFilter.queue("orders"), 0),
        new Command.SetLimits(ShardLimits.DEFAULTS.commandRowsMax(7)),
        new Command.Tick(SweepFrom.START),
        new Command.Tick(null),
        new Command.RaiseFormat(7));
  }

  private static List<NewMessage> messages() {
    byte[] payload = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
    NewMessage plain = NewMessage.to("orders", payload);
    return List.of(
        plain,
        plain.transactionId("tx-1").headers(Map.of("type", "made", "key", "ü")),
        plain.partition("other").lane(7),
        plain.delayMs(5_000).transactionId("tx-2"),
        plain.visibleAtMs(1_800_000_000_000L));
  }

  private static final RequestNumber NUMBER = new RequestNumber("AAAAAAAAAAE", 999, 1L << 40);

  private static PopRequest everyPop(PopSource source) {
    return new PopRequest(
        source,
        "group",
        100,
        3,
        20_000,
        60_000,
        false,
        new StartFrom.Time(1_700_000_000_000L),
        "worker-1",
        settles(),
        "AAAAAAAAAAE",
        null,
        250);
  }

  private static List<Settle> settles() {
    return List.of(
        Settle.ack(HANDLE),
        Settle.nack(HANDLE, "boom").delayMs(500).withRest(),
        Settle.releaseAll("AAAAAAAAAAE"),
        Settle.kill(HANDLE, null),
        Settle.unfenced("group", ID, Settle.Outcome.ACK, null),
        new Settle(
            new Settle.Target.HeldByName("AAAAAAAAAAE", 5, "tx-1"),
            Settle.Outcome.NACK,
            "boom",
            0,
            false),
        new Settle(
            new Settle.Target.Unfenced("group", NAMED), Settle.Outcome.RELEASE, null, -1, false));
  }

  private static List<Part> parts() {
    NewMessage message = messages().get(1);
    return List.of(
        new Part.Push(Packed.of(List.of(message)).getFirst(), true),
        new Part.Other(new Operation.SettleMessage(settles().get(1))),
        new Part.Other(new Operation.PushMessage(message, false)),
        new Part.Other(new Operation.CancelMessage(NAMED)),
        new Part.Other(
            new Operation.AppendJournal("journal", 3, List.of(new byte[] {1, 2}, new byte[0]))),
        new Part.Other(new Operation.DeleteJournal("journal")),
        new Part.Other(new Operation.PutRecord("key", Operation.ANY_VERSION, new byte[] {9})),
        new Part.Other(new Operation.DeleteRecord("key", 12)),
        new Part.Other(new Operation.RemoveDead("orders", new UUID(7, 8), "g")));
  }

  private static Entry entry(Command... commands) {
    List<Entry.Ordered> ordered = new ArrayList<>();
    for (Command command : commands) {
      ordered.add(new Entry.Ordered(1_700_000_000_000L, Long.MIN_VALUE + 1, command));
    }
    return new Entry(FormatLevels.KNOWN.newest(), ordered);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void shouldGiveBackWhatWasWritten(Command command) {
    // given
    Entry entry = entry(command, command);

    // when
    byte[] bytes = EntryCodec.bytes(entry);
    Entry read = EntryCodec.read(bytes);

    // then
    assertThat(read).usingRecursiveComparison().isEqualTo(entry);
    assertThat(EntryCodec.bytes(read)).isEqualTo(bytes);
  }

  @Test
  void shouldBeTriedWithEveryKindOfCommandAndOperation() {
    // given
    Set<Class<?>> tried = new HashSet<>();

    // when
    commands().forEach(command -> tried.add(command.getClass()));
    parts().stream()
        .filter(Part.Other.class::isInstance)
        .forEach(part -> tried.add(((Part.Other) part).operation().getClass()));

    // then
    assertThat(tried)
        .contains(Command.class.getPermittedSubclasses())
        .contains(Operation.class.getPermittedSubclasses());
  }

  @Test
  void shouldNotKnowKindsOfANewerVersion() {
    // given
    byte[] bytes = {(byte) FormatLevels.KNOWN.newest(), 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 99};

    // then
    assertThatThrownBy(() -> EntryCodec.read(bytes))
        .isInstanceOf(UnknownFormatException.class)
        .hasMessage(
            "A command is of kind 99, and this version of Holdfast knows the kinds 1 to %s."
                + " Run the newer version that wrote it.",
            Command.class.getPermittedSubclasses().length);
  }

  @Test
  void shouldRefuseFieldsOfANewerVersion() {
    // given: a tick with a second field
    byte[] tick = {
      (byte) FormatLevels.KNOWN.newest(), 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 17, 3, 1, 1
    };

    // then
    assertThatThrownBy(() -> EntryCodec.read(tick))
        .isInstanceOf(MalformedEntryException.class)
        .hasMessage(
            "An entry is malformed: command 0: the body: unknown fields of Command.Tick at byte 2"
                + " to 3. If a newer version of Holdfast wrote it, run that version; otherwise it"
                + " is damaged.");
  }
}
