package io.holdfast.client.acks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.lease.Settle.Outcome;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.client.acks.AckVerdict.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** How subscriptions begin, take and end. */
class SubscriptionTest extends AckFixture {
  private void awaitParked(int pops) {
    eventually(() -> assertThat(engine.stats().orThrow().parkedPops()).isEqualTo(pops));
  }

  @Test
  void shouldNameEachSubscription() {
    String first = client.subscribeAsync(this::note, TOPIC);
    String mine = client.subscribeAsync(this::note, TOPIC, SubscribeOptions.DEFAULTS.subId("mine"));
    String third = client.subscribeAsync(this::note, TOPIC);

    assertThat(List.of(first, mine, third)).containsExactly("sub-1", "mine", "sub-2");
    assertThat(client.subscriptions()).containsExactlyInAnyOrder("sub-1", "mine", "sub-2");
    assertThatThrownBy(
            () -> client.subscribeAsync(this::note, TOPIC, SubscribeOptions.DEFAULTS.subId("mine")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("subId: expected a new one, but there is a subscription mine");
  }

  @Test
  void shouldSayWhatItExpectedInsteadOfAnUnknownTopicOrSubscription() {
    assertThatThrownBy(() -> client.subscribeAsync(this::note, "orders"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("topic: expected queue:// and the name of a queue, but got \"orders\"");
    assertThatThrownBy(() -> client.unsubscribe("sub-9"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("subId: expected one of [], but got \"sub-9\"");
  }

  @Test
  void shouldFailToSubscribeAtOnceWhenTheBrokerCannotBeReached() {
    broker.cut();
    assertThatThrownBy(() -> client.subscribeAsync(this::note, TOPIC))
        .isInstanceOf(UnreachableException.class);
    broker.mend();
    broker.refuse(ErrorCode.CLOSED);
    assertThatThrownBy(() -> client.subscribeAsync(this::note, TOPIC))
        .isInstanceOf(RefusedException.class);

    assertThat(client.subscriptions()).isEmpty();
  }

  @Test
  void shouldHandleOnADaemonThreadOfItsOwn() {
    AtomicReference<Thread> thread = new AtomicReference<>();
    client.subscribeAsync(message -> thread.set(Thread.currentThread()), TOPIC);

    push("a");

    eventually(() -> assertThat(thread.get()).isNotNull());
    assertThat(thread.get().getName()).isEqualTo("holdfast-test-sub-1");
    assertThat(thread.get().isDaemon()).isTrue();
  }

  @Test
  void shouldReceiveForAGroup() {
    client.setAutoAck(true);
    client.subscribeAsync(this::note, TOPIC, SubscribeOptions.group("billing"));
    client.subscribeAsync(this::note, TOPIC, SubscribeOptions.group("shipping"));

    push("a");

    eventuallyHandled("a", "a");
    assertThat(messages)
        .extracting(QueueMessage::subId)
        .containsExactlyInAnyOrder("sub-1", "sub-2");
  }

  @Test
  void shouldReceiveFromOnePartition() {
    client.setAutoAck(true);
    client.subscribeAsync(this::note, TOPIC, SubscribeOptions.DEFAULTS.partition("eu"));

    push("elsewhere");
    engine
        .push(
            PushRequest.of(
                NewMessage.to(QUEUE, "here".getBytes(StandardCharsets.UTF_8)).partition("eu")))
        .orThrow();

    eventuallyHandled("here");
    eventuallyAcked(1);
  }

  @Test
  void shouldLeaseForAsLongAsItIsTold() {
    client.subscribeAsync(
        this::note, TOPIC, SubscribeOptions.DEFAULTS.lease(Duration.ofSeconds(7)));

    push("a");

    eventuallyHandled("a");
    assertThat(messages.get(0).leasePeriod().orElseThrow().toEpochMilli())
        .isEqualTo(clock.wallMs() + 7_000);
  }

  @Test
  void shouldNotHandleWhatItsLeaseNoLongerHolds() {
    // given
    makeShared(QUEUE);
    push("a", "b", "c");
    // when: the first takes so long that the lease of the others runs out
    client.subscribeAsync(
        message -> {
          note(message);
          if (handled.size() == 1) {
            advanceMs(5_000);
          }
        },
        TOPIC,
        SubscribeOptions.DEFAULTS.batch(3).lease(Duration.ofSeconds(5)));
    // then: they come again under another lease
    eventually(() -> assertThat(handled).hasSize(4));
    assertThat(handled.get(0)).isEqualTo("a");
    assertThat(handled.subList(1, 4)).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(messages.stream().skip(1).map(message -> message.delivery().leaseId()))
        .doesNotContain(messages.get(0).delivery().leaseId());
  }

  @Test
  void shouldEndAtOnceWhileItWaitsForMessages() {
    String subId = client.subscribeAsync(this::note, TOPIC);
    awaitParked(1);

    client.unsubscribe(subId);

    assertThat(client.subscriptions()).isEmpty();
    assertThat(engine.stats().orThrow().parkedPops()).isZero();
    assertThat(clock.nanos()).as("no time has passed").isZero();
  }

  @Test
  void shouldSendItsBatchAndGiveBackTheRestWhenItIsUnsubscribed() throws InterruptedException {
    // given
    CountDownLatch atSecond = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    client.setAutoAck(true).setAckBatchSize(50);
    List<UUID> ids = push("a", "b", "c");
    String subId =
        client.subscribeAsync(
            message -> {
              note(message);
              if (text(message).equals("b")) {
                atSecond.countDown();
                goOn.await();
              }
            },
            TOPIC);
    awaitLatch(atSecond);
    // when
    Thread ended = startAndAwaitWaiting(() -> client.unsubscribe(subId));
    goOn.countDown();
    ended.join();
    // then
    assertThat(handled).containsExactly("a", "b");
    assertThat(broker.sent())
        .extracting(CutBroker.Sent::outcomes)
        .containsExactly(List.of(Outcome.ACK, Outcome.ACK), List.of(Outcome.RELEASE));
    assertThat(stateOf(ids.get(2))).isEqualTo(MessageState.RETURNED);
    assertThat(view(ids.get(2)).failures()).isZero();
    assertThat(heard.settled).hasSize(1);
  }

  /** Ends something on another thread, and waits until that waits for a handler. */
  private static Thread startAndAwaitWaiting(Runnable ending) {
    Thread thread = new Thread(ending, "ending");
    thread.start();
    eventually(() -> assertThat(thread.getState()).isEqualTo(Thread.State.WAITING));
    return thread;
  }

  @Test
  void shouldGiveBackWhatTheHandlerTookAndDidNotAck() {
    // given
    makeShared(QUEUE);
    String subId = client.subscribeAsync(this::note, TOPIC);
    List<UUID> ids = push("acked", "kept");
    eventuallyHandled("acked", "kept");
    client.ackMessage(messages.get(0));
    // when
    client.unsubscribe(subId);
    // then
    assertThat(stateOf(ids.get(0))).isEqualTo(MessageState.SETTLED);
    assertThat(stateOf(ids.get(1))).isEqualTo(MessageState.RETURNED);
    AckException late =
        catchThrowableOfType(AckException.class, () -> client.ackMessage(messages.get(1)));
    assertThat(late.notApplied().get(0).status()).isEqualTo(Status.REFUSED);
  }

  @Test
  void shouldSendAllBatchesWhenAllAreUnsubscribed() {
    // given
    makeShared(QUEUE);
    makeShared("bills");
    client.setAutoAck(true).setAckBatchSize(50);
    client.subscribeAsync(this::note, TOPIC);
    client.subscribeAsync(this::note, "queue://bills");
    push("order");
    pushTo("bills", "bill");
    eventually(() -> assertThat(handled).hasSize(2));
    // when
    client.unsubscribeAll();
    // then
    assertThat(ackedCount()).isEqualTo(2);
    assertThat(client.subscriptions()).isEmpty();
    client.close();
    assertThat(heard.events).isEmpty();
  }

  @Test
  void shouldLetAHandlerAckWhatItIsAtWhileTheClientIsClosed() throws InterruptedException {
    // given
    CountDownLatch inHandler = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    client.subscribeAsync(
        message -> {
          inHandler.countDown();
          goOn.await();
          client.ackMessage(message);
        },
        TOPIC);
    UUID id = push("a").get(0);
    awaitLatch(inHandler);
    // when
    Thread closed = startAndAwaitWaiting(client::close);
    goOn.countDown();
    closed.join();
    // then
    assertThat(stateOf(id)).isEqualTo(MessageState.SETTLED);
  }

  @Test
  void shouldInterruptAHandlerThatDoesNotEndAndGiveBackItsMessage() throws InterruptedException {
    // given
    CountDownLatch inHandler = new CountDownLatch(1);
    CountDownLatch forEver = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    client.setAutoAck(true);
    String subId =
        client.subscribeAsync(
            message -> {
              inHandler.countDown();
              try {
                forEver.await();
              } catch (InterruptedException stopped) {
                interrupted.set(true);
                throw stopped;
              }
            },
            TOPIC);
    UUID id = push("a").get(0);
    awaitLatch(inHandler);
    // when
    Thread ended = startAndAwaitWaiting(() -> client.unsubscribe(subId));
    clock.advance(STOP.minusMillis(1));
    assertThat(interrupted).isFalse();
    passUntil(() -> !ended.isAlive());
    // then: it is given back, not charged, by a thread that the end waits for one second only
    eventually(() -> assertThat(interrupted).isTrue());
    eventually(() -> assertThat(stateOf(id)).isEqualTo(MessageState.RETURNED));
    assertThat(view(id).failures()).isZero();
    assertThat(heard.settled).isEmpty();
  }

  @Test
  void shouldEndWhenItsOwnHandlerUnsubscribesIt() {
    client.setAutoAck(true);
    push("a", "b");
    client.subscribeAsync(
        message -> {
          note(message);
          client.unsubscribe(message.subId());
        },
        TOPIC,
        SubscribeOptions.DEFAULTS.batch(2));

    eventuallyNothingInFlightButAcked(1);

    assertThat(handled).containsExactly("a");
    eventually(() -> assertThat(client.subscriptions()).isEmpty());
  }

  private void eventuallyNothingInFlightButAcked(long acked) {
    eventually(
        () -> {
          assertThat(ackedCount()).isEqualTo(acked);
          assertThat(counts().inFlight()).isZero();
        });
  }

  @Test
  void shouldEndWhenAHandlerClosesTheClient() {
    client.setAutoAck(true).setAckBatchSize(50);
    push("a", "b");
    client.subscribeAsync(
        message -> {
          note(message);
          client.close();
        },
        TOPIC);

    eventually(() -> assertThat(heard.cleared).hasSize(1));
    eventuallyNothingInFlightButAcked(0);

    assertThat(handled).containsExactly("a");
    assertThat(heard.cleared.get(0).bookmarks()).containsExactly(messages.get(0).bookmark());
  }

  @Test
  void shouldTakeNoMoreThanItsBacklog() {
    // given
    makeShared(QUEUE);
    client.subscribeAsync(this::note, TOPIC, SubscribeOptions.DEFAULTS.batch(10).backlog(2));
    // when
    push("a", "b", "c", "d");
    eventuallyHandled("a", "b");
    assertThat(counts().inFlight()).isEqualTo(2);
    client.ackMessage(messages.get(1));
    // then
    eventuallyHandled("a", "b", "c");
    assertThat(counts().inFlight()).isEqualTo(2);
  }

  @Test
  void shouldTakeMoreOnceTheLeasesOfItsBacklogAreOver() {
    makeShared(QUEUE);
    client.subscribeAsync(
        this::note,
        TOPIC,
        SubscribeOptions.DEFAULTS.batch(2).backlog(2).lease(Duration.ofSeconds(30)));
    push("a", "b");
    eventuallyHandled("a", "b");

    advanceMs(30_000);

    eventually(() -> assertThat(handled).hasSize(4));
    assertThat(handled.subList(2, 4)).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void shouldSendABatchThatItsBacklogKeepsFromFilling() {
    makeShared(QUEUE);
    client.setAutoAck(true).setAckBatchSize(50);
    client.subscribeAsync(this::note, TOPIC, SubscribeOptions.DEFAULTS.backlog(2));

    push("a", "b", "c", "d");

    eventuallyAcked(4);
    assertThat(handled).containsExactly("a", "b", "c", "d");
    assertThat(broker.acks()).hasSize(2).allMatch(sent -> sent.nanos() == 0);
  }

  @Test
  void shouldGoOnAfterAHandlerLeftTheMarkOfAnInterrupt() {
    client.setAutoAck(true);
    client.subscribeAsync(
        message -> {
          note(message);
          Thread.currentThread().interrupt();
        },
        TOPIC);

    push("a");
    eventuallyAcked(1);
    awaitParked(1);
    push("b");

    eventuallyAcked(2);
  }

  @Test
  void shouldUseAQueueThatIsConfiguredLater() {
    client.setAutoAck(true).setAckBatchSize(2);
    client.subscribeAsync(this::note, TOPIC);
    awaitParked(1);

    makeShared(QUEUE);
    advanceAndAwaitNextPoll(POLL_WAIT);
    advanceAndAwaitNextPoll(Duration.ofSeconds(10));
    push("a");
    eventuallyHandled("a");
    awaitParked(1);

    assertThat(broker.sent()).as("kept, because the queue is shared").isEmpty();
    push("b");
    eventuallyAcked(2);
  }

  private void advanceAndAwaitNextPoll(Duration time) {
    int before = broker.polls();
    clock.advance(time);
    eventually(() -> assertThat(broker.polls()).isEqualTo(before + 1));
    awaitParked(1);
  }

  @Test
  void shouldRefuseOptionsThatMeanNothing() {
    assertThatThrownBy(() -> SubscribeOptions.DEFAULTS.batch(-1))
        .hasMessage("batch: expected 0 to 10000, but got -1");
    assertThatThrownBy(() -> SubscribeOptions.DEFAULTS.backlog(0))
        .hasMessage("backlog: expected 1 to 100000, but got 0");
    assertThatThrownBy(() -> SubscribeOptions.DEFAULTS.lease(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SubscribeOptions.DEFAULTS.subId(" "))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> config.reconnect(0, Duration.ofMillis(1), Duration.ofMillis(1)))
        .hasMessage("reconnectLimit: expected 1 or more, but got 0");
    assertThatThrownBy(() -> config.reconnect(1, Duration.ofMillis(2), Duration.ofMillis(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> config.pollWait(Duration.ofHours(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> config.stopTimeout(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> config.name("")).isInstanceOf(IllegalArgumentException.class);
  }
}
