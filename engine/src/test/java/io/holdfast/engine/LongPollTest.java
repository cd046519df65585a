package io.holdfast.engine;

import static io.holdfast.engine.Calls.QUEUE;
import static io.holdfast.engine.Calls.answerOf;
import static io.holdfast.engine.Calls.assertRefused;
import static io.holdfast.engine.Calls.eventually;
import static io.holdfast.engine.Calls.message;
import static io.holdfast.engine.Calls.one;
import static io.holdfast.engine.Calls.park;
import static io.holdfast.engine.Calls.payloads;
import static io.holdfast.engine.Calls.push;
import static io.holdfast.engine.Calls.stats;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that wait are woken when there is work for them, and only then. */
@Timeout(WaitLimits.TEST_SECONDS)
class LongPollTest {
  private static final long LONG_MS = 60_000;
  private static final int PARKED_MAX = 30;

  private final ManualClock clock = new ManualClock();
  private final EmbeddedBroker broker =
      EmbeddedBroker.open(config(PARKED_MAX), clock, new MemoryStore());

  private static EngineConfig config(int parkedMax) {
    EngineConfig usual = EngineConfig.inMemory();
    return new EngineConfig(
        null,
        Durability.FSYNC,
        usual.payloadBytesMax(),
        usual.requestBytesMax(),
        usual.mailboxMax(),
        usual.mailboxBytesMax(),
        usual.tailCacheBytes(),
        usual.retainedBytesMax(),
        usual.queuesMax(),
        usual.partitionsMax(),
        usual.groupsMax(),
        parkedMax);
  }

  @AfterEach
  void close() {
    Calls.closeInTime(broker);
  }

  @Test
  void shouldWakeOneOfManyForOneMessage() {
    // given
    makeShared(QUEUE);
    broker.pop(one()).orThrow();
    List<CompletableFuture<Result<Popped>>> parked = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      parked.add(park(broker, one().waitMs(LONG_MS)));
    }
    eventually(() -> assertThat(stats(broker).parkedPops()).isEqualTo(20));
    long before = stats(broker).appliedIndex();

    // when
    int pushes = 10;
    for (int i = 1; i <= pushes; i++) {
      int answered = i;
      push(broker, "m" + i);
      eventually(() -> assertThat(done(parked)).isEqualTo(answered));
    }

    // then: a command for each push, and one for the pop that it woke
    assertThat(stats(broker).appliedIndex() - before).isEqualTo(2L * pushes);
    assertThat(stats(broker).parkedPops()).isEqualTo(20 - pushes);
  }

  private static int done(List<CompletableFuture<Result<Popped>>> parked) {
    return (int) parked.stream().filter(CompletableFuture::isDone).count();
  }

  @Test
  void shouldLoseNoWakeUpToOneWhoseTimeIsUp() {
    // given
    makeShared(QUEUE);
    for (int round = 0; round < 200; round++) {
      CompletableFuture<Result<Popped>> hasty = park(broker, one().waitMs(1_000).autoAck(true));
      CompletableFuture<Result<Popped>> patient = park(broker, one().waitMs(LONG_MS).autoAck(true));

      // when: at the same moment
      CompletableFuture<Pushed> pushed = Calls.start(() -> push(broker, "a"));
      clock.advance(Duration.ofSeconds(1));

      // then
      answerOf(pushed);
      if (answerOf(hasty).orThrow().isEmpty()) {
        assertThat(payloads(answerOf(patient).orThrow())).containsExactly("a");
      } else {
        push(broker, "b");
        assertThat(payloads(answerOf(patient).orThrow())).containsExactly("b");
      }
    }
  }

  @Test
  void shouldLoseNoWakeUpToOneThatIsJustServed() {
    // given
    makeShared(QUEUE);
    for (int round = 0; round < 100; round++) {
      List<CompletableFuture<Result<Popped>>> parked = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        parked.add(Calls.start(() -> broker.pop(one().waitMs(LONG_MS).autoAck(true))));
      }

      // when
      List<CompletableFuture<Pushed>> pushes = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        pushes.add(Calls.start(() -> push(broker, "a")));
      }

      // then
      pushes.forEach(Calls::answerOf);
      for (CompletableFuture<Result<Popped>> pop : parked) {
        assertThat(payloads(answerOf(pop).orThrow())).containsExactly("a");
      }
    }
  }

  @Test
  void shouldAnswerPopsOfAllPartitionsAndGroups() {
    // given
    CompletableFuture<Result<Popped>> p1 = park(broker, partition("p1").waitMs(LONG_MS));
    CompletableFuture<Result<Popped>> p2 = park(broker, partition("p2").waitMs(LONG_MS));
    CompletableFuture<Result<Popped>> p2Other =
        park(broker, partition("p2").group("other").waitMs(LONG_MS));
    CompletableFuture<Result<Popped>> whole = park(broker, one().group("third").waitMs(LONG_MS));

    // when
    broker.push(PushRequest.of(message("2").partition("p2"))).orThrow();

    // then
    assertThat(payloads(answerOf(p2).orThrow())).containsExactly("2");
    assertThat(payloads(answerOf(p2Other).orThrow())).containsExactly("2");
    assertThat(payloads(answerOf(whole).orThrow())).containsExactly("2");
    assertThat(p1).isNotDone();

    // when
    broker.push(PushRequest.of(message("1").partition("p1"))).orThrow();

    // then
    assertThat(payloads(answerOf(p1).orThrow())).containsExactly("1");
  }

  @Test
  void shouldAnswerPopsOfAllTags() {
    // given
    configure("letters", QueueOption.NAMESPACE, "mail");
    configure("carts", QueueOption.NAMESPACE, "shop");
    CompletableFuture<Result<Popped>> mail =
        park(broker, PopRequest.of(new PopSource.Tagged("mail", null)).waitMs(LONG_MS));
    CompletableFuture<Result<Popped>> shop =
        park(broker, PopRequest.of(new PopSource.Tagged("shop", null)).waitMs(LONG_MS));

    // when
    broker.push(PushRequest.of(NewMessage.to("carts", new byte[] {'c'}))).orThrow();

    // then
    assertThat(payloads(answerOf(shop).orThrow())).containsExactly("c");
    assertThat(mail).isNotDone();

    // when
    broker.push(PushRequest.of(NewMessage.to("letters", new byte[] {'l'}))).orThrow();

    // then
    assertThat(payloads(answerOf(mail).orThrow())).containsExactly("l");
  }

  @Test
  void shouldAnswerAPopByTagsFromAQueueThatIsNew() {
    // given
    CompletableFuture<Result<Popped>> pop = park(broker, shop());

    // when
    pushTo("shop.carts");

    // then
    assertThat(payloads(answerOf(pop).orThrow())).containsExactly("shop.carts");
  }

  @Test
  void shouldTellAnotherPopByTagsWhenAMessageIsDue() {
    // given: two pops that wait behind a lease
    configure("carts", QueueOption.NAMESPACE, "shop");
    configure("bills", QueueOption.NAMESPACE, "shop");
    Handle message = leased("carts", LONG_MS);
    CompletableFuture<Result<Popped>> first = park(broker, shop());
    CompletableFuture<Result<Popped>> second = park(broker, shop());

    // when: one of them learns when the message may be tried again, and takes from another queue
    long before = stats(broker).appliedIndex();
    nack(message, 10_000);
    eventually(() -> assertThat(stats(broker).appliedIndex()).isEqualTo(before + 2));
    pushTo("bills");
    assertThat(payloads(answerOf(first).orThrow())).containsExactly("bills");
    clock.advance(Duration.ofSeconds(10));

    // then
    assertThat(payloads(answerOf(second).orThrow())).containsExactly("carts");
  }

  @Test
  void shouldLookWhenAMessageIsDueAlthoughAnotherQueueIsLocked() {
    // given: a lock that would end before the message is due
    configure("carts", QueueOption.NAMESPACE, "shop");
    configure("bills", QueueOption.NAMESPACE, "shop");
    Handle lock = leased("bills", 5_000);
    nack(leased("carts", LONG_MS), 10_000);
    CompletableFuture<Result<Popped>> pop = park(broker, shop());

    // when
    broker.extend(ExtendRequest.of(lock.leaseId(), LONG_MS)).orThrow();
    clock.advance(Duration.ofSeconds(10));

    // then
    assertThat(payloads(answerOf(pop).orThrow())).containsExactly("carts");
  }

  private static PopRequest shop() {
    return PopRequest.of(new PopSource.Tagged("shop", null)).waitMs(LONG_MS);
  }

  private void pushTo(String queue) {
    broker
        .push(PushRequest.of(NewMessage.to(queue, queue.getBytes(StandardCharsets.UTF_8))))
        .orThrow();
  }

  private Handle leased(String queue, long leaseMs) {
    pushTo(queue);
    Popped popped = broker.pop(PopRequest.queue(queue).leaseMs(leaseMs)).orThrow();
    return popped.messages().getFirst().handle();
  }

  private void nack(Handle message, long delayMs) {
    broker.settle(SettleRequest.of(Settle.nack(message, "again").delayMs(delayMs))).orThrow();
  }

  @Test
  void shouldAnswerTheHolderOfALeaseWhoWaitsBehindAnother() {
    // given: an ordered partition, held by one who waits for more of it
    push(broker, "a");
    String lease = broker.pop(one()).orThrow().leaseId();
    CompletableFuture<Result<Popped>> other = park(broker, one().waitMs(LONG_MS));
    CompletableFuture<Result<Popped>> holder = park(broker, one().joinLease(lease).waitMs(LONG_MS));

    // when
    push(broker, "b");

    // then
    assertThat(payloads(answerOf(holder).orThrow())).containsExactly("b");
    assertThat(other).isNotDone();
  }

  @Test
  void shouldAnswerAPopWhoseGroupWasDeleted() {
    // given
    CompletableFuture<Result<Popped>> parked = park(broker, one().waitMs(LONG_MS));
    eventually(
        () ->
            assertThat(broker.groups(GroupsRequest.ofQueue(QUEUE)).orThrow().items()).isNotEmpty());
    broker.deleteGroup(QUEUE, PopRequest.QUEUE_MODE).orThrow();

    // when
    push(broker, "a");

    // then
    assertThat(payloads(answerOf(parked).orThrow())).containsExactly("a");
  }

  @Test
  void shouldEndAWaitWhenInterruptedAndKeepTheInterrupt() {
    // given
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    CompletableFuture<Result<Popped>> answer = new CompletableFuture<>();
    Thread thread =
        Thread.startVirtualThread(
            () -> {
              answer.complete(broker.pop(one().waitMs(LONG_MS)));
              interrupted.complete(Thread.currentThread().isInterrupted());
            });
    eventually(() -> assertThat(stats(broker).parkedPops()).isOne());

    // when
    thread.interrupt();

    // then
    assertThat(answerOf(answer).orThrow().messages()).isEmpty();
    assertThat(answerOf(interrupted)).isTrue();
    assertThat(stats(broker).parkedPops()).isZero();
  }

  @Test
  void shouldAnswerAllWhoWaitWhenItIsClosed() {
    // given
    push(broker, "a");
    String lease = broker.pop(one()).orThrow().leaseId();
    CompletableFuture<Result<Popped>> pop = Calls.start(() -> broker.pop(one().waitMs(LONG_MS)));
    CompletableFuture<Result<Extended>> extend =
        Calls.start(() -> broker.extend(new ExtendRequest(lease, LONG_MS, LONG_MS)));
    CompletableFuture<Result<StoredRecord>> record =
        Calls.start(() -> broker.record(new RecordRequest("key", 0, LONG_MS)));
    eventually(() -> assertThat(stats(broker).parkedPops()).isEqualTo(3));

    // when
    Calls.closeInTime(broker);

    // then: with what they had, or that it is closed
    Result<Popped> popped = answerOf(pop);
    assertThat(popped.isOk() ? popped.orThrow().isEmpty() : isClosed(popped)).isTrue();
    Result<Extended> extended = answerOf(extend);
    assertThat(extended.isOk() || isClosed(extended)).isTrue();
    Result<StoredRecord> read = answerOf(record);
    assertThat(read.isOk() ? !read.orThrow().exists() : isClosed(read)).isTrue();
  }

  private static boolean isClosed(Result<?> result) {
    return result.refusal().code() == ErrorCode.CLOSED;
  }

  @Test
  void shouldRefuseToLetMoreWaitThanItMay() {
    // given
    push(broker, "a");
    Popped held = broker.pop(one().leaseMs(1_000)).orThrow();
    List<CompletableFuture<Result<Popped>>> parked = new ArrayList<>();
    for (int i = 0; i < PARKED_MAX; i++) {
      parked.add(park(broker, PopRequest.queue("quiet").waitMs(1_000 + i)));
    }

    // then
    assertRefused(broker.pop(one().waitMs(LONG_MS)), ErrorCode.OVERLOADED);
    assertRefused(broker.record(new RecordRequest("key", 0, LONG_MS)), ErrorCode.OVERLOADED);
    assertRefused(
        broker.extend(new ExtendRequest(held.leaseId(), LONG_MS, LONG_MS)), ErrorCode.OVERLOADED);
    assertThat(broker.extend(ExtendRequest.of(held.leaseId(), 1)).orThrow().leaseUntilMs())
        .as("a refusal changes nothing")
        .isEqualTo(held.leaseUntilMs());
    assertThat(broker.pop(one()).isOk()).as("who does not wait needs no room").isTrue();

    // when
    clock.advance(Duration.ofSeconds(1));
    answerOf(parked.getFirst());

    // then
    assertThat(park(broker, PopRequest.queue("quiet").waitMs(LONG_MS))).isNotDone();
  }

  @Test
  void shouldTellTheVerdictsOfAPopThatIsToStopWaiting() {
    // given
    push(broker, "held");
    Popped held = broker.pop(one()).orThrow();
    AsyncResult<Popped> waiting =
        broker.popAsync(one().waitMs(LONG_MS).settles(List.of(Settle.ackAll(held.leaseId()))));

    // when
    waiting.stopWaiting();

    // then
    Popped popped = waiting.join().orThrow();
    assertThat(popped.messages()).isEmpty();
    assertThat(popped.settled().getFirst().status()).isEqualTo(SettleVerdict.Status.ACKED);
  }

  private static PopRequest partition(String name) {
    return PopRequest.partition(QUEUE, name);
  }

  private void makeShared(String queue) {
    configure(queue, QueueOption.DELIVERY, "shared");
  }

  private void configure(String queue, QueueOption option, Object value) {
    broker.configure(ConfigureRequest.queue(queue).set(option, value)).orThrow();
  }
}
