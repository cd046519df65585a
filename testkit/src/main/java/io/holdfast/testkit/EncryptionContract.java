package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.BrowsedMessage;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.Seal;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The contract of queues whose payloads are encrypted at rest, of a broker that has a key. */
abstract class EncryptionContract extends ContractFixture {
  private static final int PUSHERS = 4;

  EncryptionContract(BrokerContract implementation) {
    super(implementation);
  }

  private void encrypt() {
    configure(QueueOption.ENCRYPTION, true);
  }

  private static void assertSealed(Message message) {
    Seal seal = message.seal();
    assertThat(seal).as("seal of " + text(message.payload())).isNotNull();
    assertThat(seal.keyId()).isNotBlank();
    assertThat(seal.problem()).isNull();
  }

  @Test
  void shouldDeliverWhatWasPushed() {
    // given
    encrypt();
    UUID id = push(message("secret").transactionId("tx").headers(Map.of("b", "2", "a", "1"))).id();
    restart();
    // when
    Message message = popOne().message();
    // then
    assertThat(message.id()).isEqualTo(id);
    assertThat(text(message.payload())).isEqualTo("secret");
    assertThat(message.transactionId()).isEqualTo("tx");
    assertThat(message.headers()).containsExactlyInAnyOrderEntriesOf(Map.of("a", "1", "b", "2"));
    assertSealed(message);
  }

  @Test
  void shouldTakeEmptyAndLargePayloads() {
    // given
    encrypt();
    byte[] large = new byte[PAYLOAD_BYTES_MAX];
    IntStream.range(0, large.length).forEach(i -> large[i] = (byte) i);
    pushAll(message(""), NewMessage.to(QUEUE, large));
    // when
    List<Delivery> found = popAll().messages();
    // then
    assertThat(found.get(0).message().payload()).isEmpty();
    assertThat(found.get(1).message().payload()).isEqualTo(large);
  }

  @Test
  void shouldKeepLongBatchesInOrder() {
    // given
    encrypt();
    List<String> texts = IntStream.range(0, 3_000).mapToObj(i -> "message " + i).toList();
    pushAll(texts.stream().map(ContractFixture::message).toArray(NewMessage[]::new));
    // when
    List<String> found = new ArrayList<>();
    for (Popped popped = pop(one().batch(700)); !popped.isEmpty(); ) {
      found.addAll(payloads(popped));
      ackAll(popped);
      popped = pop(one().batch(700));
    }
    // then
    assertThat(found).isEqualTo(texts);
  }

  @Test
  void shouldReadOldMessagesWhenItIsTurnedOnOrOff() {
    // given
    push("before");
    encrypt();
    push("during");
    configure(QueueOption.ENCRYPTION, false);
    push("after");
    restart();
    // when
    List<Message> found = popAll().messages().stream().map(Delivery::message).toList();
    // then
    assertThat(found.stream().map(message -> text(message.payload())))
        .containsExactly("before", "during", "after");
    assertThat(found.stream().map(message -> message.seal() != null))
        .containsExactly(false, true, false);
  }

  @Test
  void shouldSealWhatIsDelayedCommittedAndCameBack() {
    // given
    encrypt();
    push(message("delayed").delayMs(1_000));
    broker
        .commit(CommitRequest.of(new Operation.PushMessage(message("committed"), false)))
        .orThrow();
    Delivery first = popOne();
    assertSealed(first.message());
    // when
    nack(first);
    advanceMs(1_000);
    restart();
    // then
    List<String> found = new ArrayList<>();
    eventually(
        () -> {
          Popped popped = popAll();
          popped.messages().forEach(delivery -> assertSealed(delivery.message()));
          found.addAll(payloads(popped));
          ackAllOf(popped);
          assertThat(found).containsExactlyInAnyOrder("delayed", "committed");
        });
  }

  private void ackAllOf(Popped popped) {
    if (!popped.isEmpty()) {
      ackAll(popped);
    }
  }

  @Test
  void shouldShowPayloadsToThoseWhoLook() {
    // given
    encrypt();
    UUID dead = push("dead");
    kill(popOne(), "no use");
    UUID waiting = push(message("waiting").headers(Map.of("h", "v"))).id();
    UUID delayed = push(message("delayed").delayMs(60_000)).id();
    // then
    assertThat(text(detail(waiting).message().payload())).isEqualTo("waiting");
    assertThat(text(detail(delayed).message().payload())).isEqualTo("delayed");
    assertThat(text(detail(dead).message().payload())).isEqualTo("dead");
    assertSealed(detail(waiting).message());
    List<Message> browsed =
        broker.browse(BrowseRequest.queue(QUEUE)).orThrow().items().stream()
            .map(BrowsedMessage::message)
            .toList();
    assertThat(browsed.stream().map(message -> text(message.payload())))
        .containsExactlyInAnyOrder("dead", "waiting", "delayed");
    browsed.forEach(EncryptionContract::assertSealed);
    Message letter = deadLetters().items().getFirst().message();
    assertThat(text(letter.payload())).isEqualTo("dead");
    assertSealed(letter);
  }

  @Test
  void shouldDeliverAgainWhatIsRequeued() {
    // given
    encrypt();
    push("again");
    kill(popOne(), "no use");
    configure(QueueOption.ENCRYPTION, false);
    // when
    broker.requeue(RequeueRequest.of(DeadLetterFilter.queue(QUEUE))).orThrow();
    restart();
    // then
    Delivery found = popOneSoon();
    assertThat(payload(found)).isEqualTo("again");
    assertSealed(found.message());
  }

  @Test
  void shouldSettleAtDelivery() {
    // given
    push("plain");
    encrypt();
    push("sealed");
    // when
    Popped popped = pop(many().autoAck(true));
    // then
    assertThat(payloads(popped)).containsExactly("plain", "sealed");
    assertThat(popped.leaseId()).isEmpty();
    assertThat(popped.messages()).allMatch(delivery -> delivery.leaseId().isEmpty());
    assertThat(stats().leases()).isZero();
    assertThat(stats().totals().acked()).isEqualTo(2);
    restart();
    assertNothingToPop();
  }

  @Test
  void shouldFindDuplicates() {
    // given
    encrypt();
    UUID id = push(named("tx")).id();
    // then
    assertThat(push(named("tx")).duplicate()).isTrue();
    assertThat(push(named("tx")).id()).isEqualTo(id);
    assertStatus(ack(popOne()), Status.ACKED);
  }

  @Test
  void shouldForgetItWithTheQueue() {
    // given
    encrypt();
    push("sealed");
    // when
    broker.deleteQueue(QUEUE).orThrow();
    push("plain");
    // then
    assertThat(popOne().message().seal()).isNull();
  }

  @Test
  void shouldStoreNothingInTheClearOnceItIsConfigured() {
    // given
    Set<UUID> later = ConcurrentHashMap.newKeySet();
    AtomicBoolean on = new AtomicBoolean();
    AtomicBoolean over = new AtomicBoolean();
    List<CompletableFuture<Boolean>> pushers =
        Stream.generate(() -> waiting(() -> pushUntil(over, on, later))).limit(PUSHERS).toList();
    // when
    configure(ConfigureRequest.queue(QUEUE).set(QueueOption.ENCRYPTION, true));
    on.set(true);
    eventually(() -> assertThat(later).hasSizeGreaterThan(100));
    over.set(true);
    pushers.forEach(ContractFixture::answerOf);
    // then
    boolean sealed = false;
    for (Popped popped = popAll(); !popped.isEmpty(); popped = popAll()) {
      for (Delivery delivery : popped.messages()) {
        boolean isSealed = delivery.message().seal() != null;
        assertThat(isSealed || !later.contains(delivery.message().id()))
            .as("a message pushed after the answer is sealed")
            .isTrue();
        assertThat(isSealed || !sealed).as("behind a sealed message all are").isTrue();
        sealed |= isSealed;
      }
      ackAll(popped);
    }
    assertThat(sealed).isTrue();
  }

  /** Pushes and commits by turns, and notes what was begun after encryption was answered for. */
  private boolean pushUntil(AtomicBoolean over, AtomicBoolean on, Set<UUID> later) {
    for (int i = 0; !over.get(); i++) {
      boolean after = on.get();
      UUID id =
          i % 2 == 0
              ? push("pushed")
              : ((Committed.Step.MessagePushed)
                      broker
                          .commit(
                              CommitRequest.of(
                                  new Operation.PushMessage(message("committed"), false)))
                          .orThrow()
                          .steps()
                          .getFirst())
                  .message()
                  .id();
      if (after) {
        later.add(id);
      }
    }
    return true;
  }
}
