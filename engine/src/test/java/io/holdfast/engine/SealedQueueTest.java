package io.holdfast.engine;

import static io.holdfast.engine.Calls.QUEUE;
import static io.holdfast.engine.Calls.assertRefused;
import static io.holdfast.engine.Calls.many;
import static io.holdfast.engine.Calls.message;
import static io.holdfast.engine.Calls.one;
import static io.holdfast.engine.Calls.payloads;
import static io.holdfast.engine.Calls.push;
import static io.holdfast.engine.Calls.pushOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Seal;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.seal.Keys;
import io.holdfast.engine.store.RocksStore;
import io.holdfast.engine.store.RocksTuning;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.Tx;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Queues with encryption: what lies on the disk, keys that are missing, rows that were changed. */
@Timeout(WaitLimits.TEST_SECONDS)
class SealedQueueTest {
  private static final byte[] OLD = key(1);
  private static final byte[] FRESH = key(2);
  private static final byte[] OTHER = key(3);
  private static final Keys KEYS = Keys.of(OLD);
  private static final String SECRET = "a secret that must not lie on the disk";
  private static final String PLAIN = "what anybody may read on the disk";

  @TempDir Path temp;
  private final ManualClock clock = new ManualClock();
  private Path directory = Path.of("unset");
  private @Nullable EmbeddedBroker open;

  private static byte[] key(int each) {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) each);
    return key;
  }

  @BeforeEach
  void name() {
    directory = temp.resolve("data");
  }

  @AfterEach
  void close() {
    if (open != null) {
      open.close();
    }
  }

  private EmbeddedBroker open(Keys keys) {
    close();
    EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.at(directory).keys(keys), clock);
    open = broker;
    return broker;
  }

  private static void encrypt(Broker broker, String queue) {
    broker.configure(ConfigureRequest.queue(queue).set(QueueOption.ENCRYPTION, true)).orThrow();
  }

  private EmbeddedBroker openEncrypted() {
    EmbeddedBroker broker = open(KEYS);
    encrypt(broker, QUEUE);
    return broker;
  }

  private static UUID pushed(Broker broker, NewMessage message) {
    return broker.push(PushRequest.of(message)).orThrow().messages().getFirst().id();
  }

  private static MessageDetail detail(Broker broker, UUID id) {
    return broker.message(MessageRef.id(id)).orThrow();
  }

  private static String keyId(Message message) {
    Seal seal = message.seal();
    assertThat(seal).isNotNull();
    return seal.keyId();
  }

  private static String problem(Message message) {
    Seal seal = message.seal();
    assertThat(message.payload()).isEmpty();
    assertThat(seal).isNotNull();
    assertThat(seal.problem()).isNotNull();
    return String.valueOf(seal.problem());
  }

  /** Changes rows of a table while nobody has the store open. */
  private void change(byte table, BiConsumer<Tx, List<byte[]>> change) {
    close();
    open = null;
    try (RocksStore store = RocksStore.open(directory, RocksTuning.MODEST)) {
      Tx tx = store.begin();
      List<byte[]> keys = new ArrayList<>();
      try (Rows rows = tx.scan(Tables.start(table), Tables.end(table))) {
        while (rows.next()) {
          keys.add(rows.key());
        }
      }
      change.accept(tx, keys);
      store.write(tx, true);
    }
  }

  private static byte[] row(Tx tx, byte[] key) {
    byte[] row = tx.get(key);
    assertThat(row).isNotNull();
    return row.clone();
  }

  private void damage(int index) {
    change(
        Tables.MESSAGES,
        (tx, keys) -> {
          byte[] row = row(tx, keys.get(index));
          row[row.length - 1] ^= 1;
          tx.put(keys.get(index), row);
        });
  }

  @Test
  void shouldLeaveNoPayloadOnTheDisk() throws IOException {
    // given
    EmbeddedBroker broker = openEncrypted();
    push(broker, SECRET + " pushed");
    // Large enough to be kept in a file of its own.
    push(broker, (SECRET + " large").repeat(10_000));
    pushed(broker, message(SECRET + " delayed").delayMs(60_000));
    broker
        .commit(CommitRequest.of(new Operation.PushMessage(message(SECRET + " commit"), false)))
        .orThrow();
    Delivery dead = broker.pop(one()).orThrow().messages().getFirst();
    broker.settle(SettleRequest.of(Settle.kill(dead.handle(), "no use"))).orThrow();
    pushed(broker, NewMessage.to("open", PLAIN.getBytes(StandardCharsets.UTF_8)));

    // then
    assertThat(holding(directory, PLAIN)).as("what is not encrypted is in the log").isNotEmpty();
    assertThat(holding(directory, SECRET)).as("log").isEmpty();
    broker.close();
    broker = open(KEYS);
    assertThat(holding(directory, PLAIN)).as("and in a sorted file").isNotEmpty();
    assertThat(holding(directory, SECRET)).as("sorted files").isEmpty();
    Path copy = temp.resolve("copy");
    broker.checkpoint(copy);
    assertThat(holding(copy, SECRET)).as("checkpoint").isEmpty();
    assertThat(payloads(broker.pop(many()).orThrow()))
        .containsExactly((SECRET + " large").repeat(10_000), SECRET + " commit");
  }

  /** The files that hold a text; its beginning is enough, compression may take the rest apart. */
  private static List<String> holding(Path directory, String text) throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(text.substring(0, 12))) {
          found.add(file.toString());
        }
      }
    }
    return found;
  }

  @Test
  void shouldRefuseToEncryptWithoutAKey() {
    // given
    Broker broker = open(Keys.NONE);
    push(broker, "a");

    // when
    Result<?> refused =
        broker.configure(ConfigureRequest.queue(QUEUE).set(QueueOption.ENCRYPTION, true));

    // then
    assertRefused(refused, ErrorCode.KEY_MISSING);
    assertThat(refused.refusal().detail()).contains("key create").contains("serve --keys");
    assertThat(broker.queue(QUEUE).orThrow().options().flag(QueueOption.ENCRYPTION)).isFalse();
    assertThat(payloads(broker.pop(many()).orThrow())).containsExactly("a");
  }

  @Test
  void shouldRefuseTheQueueAndServeTheOthersWithoutItsKey() {
    // given
    Broker broker = openEncrypted();
    UUID id = pushed(broker, message("a"));
    broker = open(Keys.NONE);

    // then
    assertRefused(broker.push(pushOf("b")), ErrorCode.KEY_MISSING);
    assertRefused(
        broker.commit(CommitRequest.of(new Operation.PushMessage(message("b"), false))),
        ErrorCode.KEY_MISSING);
    assertRefused(broker.pop(one()), ErrorCode.KEY_MISSING);
    assertRefused(broker.pop(one().waitMs(60_000)), ErrorCode.KEY_MISSING);
    assertRefused(broker.pop(one().autoAck(true)), ErrorCode.KEY_MISSING);
    assertRefused(
        broker.pop(PopRequest.partition(QUEUE, NewMessage.DEFAULT_PARTITION)),
        ErrorCode.KEY_MISSING);
    assertThat(problem(detail(broker, id).message())).contains("does not have");
    pushed(broker, NewMessage.to("open", new byte[1]));
    assertThat(broker.pop(PopRequest.queue("open")).orThrow().messages()).hasSize(1);
    assertThat(broker.queue(QUEUE).orThrow().counts().waiting()).isEqualTo(1);

    // when
    broker = open(KEYS);

    // then
    Delivery found = broker.pop(one()).orThrow().messages().getFirst();
    assertThat(found.message().id()).isEqualTo(id);
    assertThat(found.attempt()).isEqualTo(1);
    assertThat(found.failures() + found.expiries()).isZero();
  }

  @Test
  void shouldStillDoWhatNeedsNoPayload() {
    // given
    Broker broker = openEncrypted();
    push(broker, "a");
    push(broker, "b");
    Popped popped = broker.pop(one().batch(2)).orThrow();
    broker = open(Keys.NONE);

    // when
    List<SettleVerdict> verdicts =
        broker
            .settle(
                SettleRequest.of(
                    Settle.ack(popped.messages().get(0).handle()),
                    Settle.kill(popped.messages().get(1).handle(), "no use")))
            .orThrow()
            .verdicts();

    // then
    assertThat(verdicts.stream().map(SettleVerdict::status))
        .containsExactly(SettleVerdict.Status.ACKED, SettleVerdict.Status.DEAD);
    DeadLettersRequest all = DeadLettersRequest.of(DeadLetterFilter.queue(QUEUE));
    assertThat(problem(broker.deadLetters(all).orThrow().items().getFirst().message()))
        .contains("put that key back");
  }

  @Test
  void shouldPassAPopOfManyQueuesToThoseThatCanBeRead() {
    // given
    Broker broker = open(KEYS);
    encrypt(broker, "ns.sealed");
    broker
        .configure(ConfigureRequest.queue("ns.sealed").set(QueueOption.NAMESPACE, "ns"))
        .orThrow();
    broker.configure(ConfigureRequest.queue("ns.sealed").set(QueueOption.PRIORITY, 9)).orThrow();
    pushed(broker, NewMessage.to("ns.sealed", new byte[1]));
    broker = open(Keys.NONE);
    PopRequest tagged = PopRequest.of(new PopSource.Tagged("ns", null));
    assertRefused(broker.pop(tagged), ErrorCode.KEY_MISSING);

    // when
    pushed(broker, NewMessage.to("ns.open", new byte[2]));

    // then
    Popped popped = broker.pop(tagged.autoAck(true)).orThrow();
    assertThat(popped.messages().getFirst().message().queue()).isEqualTo("ns.open");
    assertThat(broker.pop(tagged).orThrow().reason()).isEqualTo(Popped.Reason.UNREADABLE);
  }

  @Test
  void shouldReadOldMessagesAfterARotation() {
    // given
    Broker broker = openEncrypted();
    push(broker, "old");
    broker = open(Keys.of(OLD, FRESH));
    push(broker, "fresh");

    // when
    List<Delivery> found = broker.pop(many()).orThrow().messages();

    // then
    assertThat(payloads(new Popped(found, "", 0, Popped.Reason.NONE, 0, List.of())))
        .containsExactly("old", "fresh");
    List<String> keys = found.stream().map(one -> String.valueOf(one.message().seal())).toList();
    assertThat(keys.get(0)).isNotEqualTo(keys.get(1));
  }

  @Test
  void shouldStopAtWhatLiesUnderAKeyThatWasRemoved() {
    // given
    Broker broker = open(Keys.of(FRESH, OLD));
    encrypt(broker, QUEUE);
    UUID old = pushed(broker, message("old"));
    broker = open(Keys.of(OLD, FRESH));
    push(broker, "behind");
    pushed(broker, message("beside").partition("another"));
    broker = open(Keys.of(FRESH));

    // then
    assertThat(payloads(broker.pop(many()).orThrow())).containsExactly("beside");
    for (PopRequest pop : List.of(one(), one(), one().waitMs(60_000), many().autoAck(true))) {
      Result<Popped> refused = broker.pop(pop);
      assertRefused(refused, ErrorCode.KEY_MISSING);
      assertThat(refused.refusal().detail()).contains(keyId(detail(broker, old).message()));
    }
    assertThat(detail(broker, old).explain()).contains("key").contains("It is ready");
    assertThat(detail(broker, old).groups().getFirst().state()).isEqualTo(MessageState.WAITING);

    // when
    broker = open(Keys.of(OLD, FRESH));

    // then
    Popped popped = broker.pop(many()).orThrow();
    assertThat(payloads(popped)).containsExactly("old", "behind");
    assertThat(popped.messages().getFirst().attempt()).isEqualTo(1);
  }

  @Test
  void shouldLetWhatLiesUnderALostKeyBeRemoved() {
    // given
    Broker broker = open(KEYS);
    encrypt(broker, QUEUE);
    UUID lost = pushed(broker, message("lost"));
    broker = open(Keys.of(OTHER));
    push(broker, "behind");
    assertRefused(broker.pop(one()), ErrorCode.KEY_MISSING);

    // when
    broker.cancel(new CancelRequest(MessageRef.id(lost))).orThrow();
    clock.advance(Duration.ofSeconds(10));

    // then
    assertThat(payloads(broker.pop(one()).orThrow())).containsExactly("behind");
  }

  @Test
  void shouldSayWhatWasSettledWithAPopThatCannotBeRead() {
    // given
    Broker broker = openEncrypted();
    push(broker, "a");
    push(broker, "b");
    Popped held = broker.pop(one()).orThrow();
    broker = open(Keys.of(OTHER));

    // when
    Popped popped = broker.pop(one().settles(List.of(Settle.ackAll(held.leaseId())))).orThrow();

    // then
    assertThat(popped.messages()).isEmpty();
    assertThat(popped.reason()).isEqualTo(Popped.Reason.UNREADABLE);
    assertThat(popped.settled().getFirst().status()).isEqualTo(SettleVerdict.Status.ACKED);
  }

  @Test
  void shouldSayWhatWasSettledWithAPopWithoutAnyKey() {
    // given
    Broker broker = openEncrypted();
    push(broker, "a");
    Popped held = broker.pop(one()).orThrow();
    broker = open(Keys.NONE);

    // when
    Popped popped = broker.pop(one().settles(List.of(Settle.ackAll(held.leaseId())))).orThrow();

    // then
    assertThat(popped.reason()).isEqualTo(Popped.Reason.UNREADABLE);
    assertThat(popped.settled().getFirst().status()).isEqualTo(SettleVerdict.Status.ACKED);
  }

  @Test
  void shouldNeverDeliverWhatWasChangedAtRest() {
    // given
    Broker broker = openEncrypted();
    push(broker, "a");
    UUID changed = pushed(broker, message("b"));
    push(broker, "c");
    damage(1);
    broker = open(KEYS);

    // then
    Popped first = broker.pop(many()).orThrow();
    assertThat(payloads(first)).containsExactly("a");
    broker.settle(SettleRequest.of(Settle.ackAll(first.leaseId()))).orThrow();
    assertThat(broker.pop(one()).orThrow().reason()).isEqualTo(Popped.Reason.BACKOFF);
    for (boolean autoAck : new boolean[] {false, true}) {
      clock.advance(Duration.ofMillis(SealedPops.RETRY_MS));
      Result<Popped> refused = broker.pop(many().autoAck(autoAck));
      assertRefused(refused, ErrorCode.DAMAGED);
      assertThat(refused.refusal().detail()).contains(changed.toString()).contains(QUEUE);
    }
    MessageDetail detail = detail(broker, changed);
    assertThat(problem(detail.message())).contains("not what was stored");
    assertThat(detail.explain()).contains("not what was stored");
    assertThat(detail.groups().getFirst().failures()).isZero();
    assertThat(detail.groups().getFirst().expiries()).isZero();
    assertThat(broker.stats().orThrow().leases()).isZero();
    assertThat(broker.stats().orThrow().dead()).isZero();

    // when
    broker.cancel(new CancelRequest(MessageRef.id(changed))).orThrow();

    // then
    assertThat(payloads(broker.pop(many()).orThrow())).containsExactly("c");
  }

  @Test
  void shouldLetOthersPassWhatWasChangedIfOrderDoesNotMatter() {
    // given
    Broker broker = openEncrypted();
    broker.configure(ConfigureRequest.queue(QUEUE).set(QueueOption.DELIVERY, "shared")).orThrow();
    push(broker, "a");
    push(broker, "b");
    damage(0);
    broker = open(KEYS);

    // then
    assertRefused(broker.pop(one()), ErrorCode.DAMAGED);
    assertThat(payloads(broker.pop(one()).orThrow())).containsExactly("b");
  }

  @Test
  void shouldNoticeRowsThatWereSwappedBetweenQueues() {
    // given
    Broker broker = openEncrypted();
    encrypt(broker, "other");
    push(broker, "mine");
    pushed(broker, NewMessage.to("other", "yours".getBytes(StandardCharsets.UTF_8)));
    change(
        Tables.MESSAGES,
        (tx, keys) -> {
          byte[] first = row(tx, keys.get(0));
          byte[] second = row(tx, keys.get(1));
          // Only what is behind the header: that says where the row stands in its lane.
          byte[] to = Arrays.copyOf(first, 26 + second.length - 26);
          System.arraycopy(second, 26, to, 26, second.length - 26);
          tx.put(keys.get(0), to);
        });
    broker = open(KEYS);

    // then
    assertRefused(broker.pop(one()), ErrorCode.DAMAGED);
  }

  @Test
  void shouldNotTakeAPushedEnvelopeForASealedPayload() {
    // given
    Broker broker = openEncrypted();
    push(broker, "secret");
    List<byte[]> stolen = new ArrayList<>();
    change(
        Tables.MESSAGES,
        (tx, keys) -> {
          byte[] row = row(tx, keys.getFirst());
          stolen.add(Arrays.copyOfRange(row, 28, row.length));
        });
    broker = open(KEYS);
    broker.configure(ConfigureRequest.queue(QUEUE).set(QueueOption.ENCRYPTION, false)).orThrow();

    // when
    pushed(broker, NewMessage.to(QUEUE, stolen.getFirst()));

    // then
    Message found = broker.pop(many()).orThrow().messages().getLast().message();
    assertThat(found.payload()).isEqualTo(stolen.getFirst());
    assertThat(found.seal()).isNull();
  }

  @Test
  void shouldShowTheOthersBesideWhatCannotBeRead() {
    // given
    Broker broker = openEncrypted();
    push(broker, "a");
    push(broker, "b");
    damage(0);
    broker = open(KEYS);

    // when
    List<Message> shown =
        broker.browse(BrowseRequest.queue(QUEUE)).orThrow().items().stream()
            .map(item -> item.message())
            .toList();

    // then
    assertThat(problem(shown.get(0))).contains("not what was stored");
    assertThat(shown.get(1).payload()).isEqualTo("b".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void shouldFindWhatCanBeReadBehindManyPartitionsThatCannot() {
    // given
    Broker broker = openEncrypted();
    for (int i = 0; i < 50; i++) {
      pushed(broker, message("a").partition("p" + i));
    }
    broker = open(Keys.of(OTHER));

    // then
    assertRefused(broker.pop(many()), ErrorCode.KEY_MISSING);
    pushed(broker, message("b").partition("fresh"));
    assertThat(payloads(broker.pop(many()).orThrow())).containsExactly("b");
  }
}
