package io.holdfast.client.consume;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Broker;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.client.LossyBroker;
import io.holdfast.client.produce.Outgoing;
import io.holdfast.client.remote.OverHttpFixture;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fetching ahead from a server: what it is asked, and what happens if the network fails. */
@Tag("slow")
class PrefetchOverHttpTest extends OverHttpFixture {
  private static final int BATCH = 2;

  private final List<String> handled = new CopyOnWriteArrayList<>();
  private final Map<String, Integer> attempts = new ConcurrentHashMap<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  /** Made before each test, when the server begins to serve it. */
  @SuppressWarnings("NullAway.Init")
  private LossyBroker seen;

  @Override
  protected Broker served(Broker broker) {
    seen = new LossyBroker(broker);
    return seen;
  }

  private ConsumerSetup<MessageHandler> consumer() {
    return holdfast
        .queue(QUEUE)
        .prefetch(true)
        .batch(BATCH)
        .leaseTime(Duration.ofSeconds(30))
        .each();
  }

  private void pushAll(int count) {
    holdfast
        .queue(QUEUE)
        .push(IntStream.rangeClosed(1, count).mapToObj(i -> Outgoing.text("" + i)).toList());
  }

  private static String[] texts(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(String::valueOf).toArray(String[]::new);
  }

  private void handle(HeldMessage message) {
    attempts.put(message.text(), message.attempt());
    handled.add(message.text());
  }

  /** The batch that begins with 3 is the first that has another behind it. */
  private void holdAtThree(HeldMessage message) throws InterruptedException {
    if (message.text().equals("3") && message.attempt() == 1) {
      begun.countDown();
      goOn.await();
    }
    handle(message);
  }

  private List<PopRequest> joins() {
    return seen.pops.stream().filter(pop -> pop.joinLease() != null).toList();
  }

  private void eventuallyAcked(Consumer consumer, int count) {
    eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(count));
    assertAllIsSettled(QUEUE);
    assertThat(acked()).isEqualTo(count);
  }

  @Test
  void shouldHandleEverythingOnceAndInOrder() {
    pushAll(300);

    try (Consumer consumer = consumer().consume(this::handle)) {
      eventuallyAcked(consumer, 300);
      assertThat(consumer.counts().delivered()).isEqualTo(300);
      assertThat(consumer.counts().refused()).isZero();
    }

    assertThat(handled).containsExactly(texts(300));
    assertThat(joins()).hasSizeGreaterThan(50);
  }

  @Test
  void shouldSendTheAcksOfTheBatchBeforeWithTheNextPop() throws Exception {
    // given
    pushAll(8);
    // when
    try (Consumer consumer = consumer().consume(this::holdAtThree)) {
      begun.await();
      eventually(() -> assertThat(counts(QUEUE).inFlight()).isEqualTo(2 * BATCH));
      // then: 1 and 2 are acked, 5 and 6 are there while 3 is handled.
      assertThat(acked()).isEqualTo(2);
      goOn.countDown();
      eventuallyAcked(consumer, 8);
    }
    assertThat(handled).containsExactly(texts(8));
    assertThat(joins())
        .anySatisfy(
            pop ->
                assertThat(pop.settles())
                    .hasSize(BATCH)
                    .allMatch(settle -> settle.outcome() == Settle.Outcome.ACK));
  }

  @Test
  void shouldKeepTheOrderIfTheAnswerToAPopThatJoinsALeaseIsLost() throws Exception {
    // given a pop that has reached the server, and joins the lease of what is handled
    seen.holdJoins();
    pushAll(8);
    try (Consumer consumer = consumer().consume(this::holdAtThree)) {
      begun.await();
      eventually(() -> assertThat(joins()).hasSize(1));
      // when
      relay.loseAnswers("pop", 1);
      seen.heal();
      eventually(() -> assertThat(relay.answersToLose()).isZero());
      goOn.countDown();
      // then
      eventuallyAcked(consumer, 8);
      assertThat(consumer.counts().retries()).isEqualTo(1);
      assertThat(consumer.counts().refused()).isZero();
    }
    assertThat(handled).containsExactly(texts(8));
    assertThat(attempts).containsEntry("3", 1).containsEntry("4", 1);
    assertThat(attempts).as("they were in the lease though nobody knew").containsEntry("5", 2);
  }

  @Test
  void shouldGoOnWhereItWasIfTheNetworkIsCutWhileABatchIsHandledAndOneWaits() throws Exception {
    // given
    pushAll(8);
    try (Consumer consumer = consumer().consume(this::holdAtThree)) {
      begun.await();
      eventually(() -> assertThat(counts(QUEUE).inFlight()).isEqualTo(2 * BATCH));
      // when
      cut();
      goOn.countDown();
      eventually(() -> assertThat(consumer.counts().retries()).isPositive());
      assertThat(acked()).isEqualTo(2);
      restore();
      // then
      eventuallyAcked(consumer, 8);
      assertThat(consumer.counts().refused()).isZero();
    }
    assertThat(handled).containsExactly(texts(8));
  }
}
