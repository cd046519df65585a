package io.holdfast.client.acks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.api.UnreachableException;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.client.acks.AckVerdict.Status;
import io.holdfast.client.remote.OverHttpFixture;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Client-side acks over a network that fails. */
class AckOverHttpTest extends OverHttpFixture {
  private static final String TOPIC = "queue://" + QUEUE;
  private static final int NEVER = 1_000_000;

  private final Heard heard = new Heard();
  private final List<QueueMessage> messages = new CopyOnWriteArrayList<>();
  private AckClient client;

  @BeforeEach
  void openClient() {
    engine.configure(ConfigureRequest.queue(QUEUE).set(QueueOption.DELIVERY, "shared")).orThrow();
    client = open(NEVER);
  }

  @AfterEach
  void closeClient() {
    restore();
    client.close();
  }

  private void disconnectAfter(int polls) {
    client.close();
    client = open(polls);
  }

  private AckClient open(int reconnectLimit) {
    return AckClient.on(
        remote,
        AckClientConfig.DEFAULTS
            .listener(heard)
            .pollWait(Duration.ofMinutes(1))
            .stopTimeout(Duration.ofMinutes(1))
            .reconnect(reconnectLimit, Duration.ofMillis(5), Duration.ofMillis(50)));
  }

  private void push(int count) {
    for (int i = 0; i < count; i++) {
      holdfast.queue(QUEUE).push("order " + i);
    }
  }

  private List<String> texts() {
    return messages.stream()
        .map(message -> new String(message.payload(), StandardCharsets.UTF_8))
        .toList();
  }

  private void takeAll(int count) {
    client.subscribeAsync(messages::add, TOPIC);
    push(count);
    eventually(() -> assertThat(messages).hasSize(count));
  }

  private static List<Status> statuses(AckResult result) {
    return result.verdicts().stream().map(AckVerdict::status).toList();
  }

  @Test
  void shouldAckByBatchSizeAndTimeout() {
    // given
    client.setAutoAck(true).setAckBatchSize(50).setAckTimeout(Duration.ofMillis(500));
    // when
    client.subscribeAsync(messages::add, TOPIC);
    push(120);
    eventually(() -> assertThat(messages).hasSize(120));
    client.flushAcks();
    // then
    eventually(() -> assertThat(acked()).isEqualTo(120));
    assertThat(texts()).doesNotHaveDuplicates();
    assertThat(messages).allMatch(QueueMessage::isAckable);
    assertThat(heard.settled).allMatch(AckResult::allApplied);
    assertAllIsSettled(QUEUE);
  }

  @Test
  void shouldClearAndReportPendingAcksAndGoOnWhenTheNetworkIsBack() {
    // given
    disconnectAfter(3);
    client.setAutoAck(true).setAckBatchSize(50).setAckTimeout(Duration.ofMinutes(1));
    takeAll(2);
    // when
    cut();
    eventually(() -> assertThat(heard.cleared).hasSize(1));
    restore();
    eventually(() -> assertThat(heard.events).contains("reconnected sub-1"));
    // then
    assertThat(statuses(heard.cleared.get(0))).containsExactly(Status.CLEARED, Status.CLEARED);
    assertThat(heard.cleared.get(0).failure()).isInstanceOf(UnreachableException.class);
    eventually(() -> assertThat(messages).as("given back, and delivered again").hasSize(4));
    assertThat(messages.subList(2, 4)).allMatch(message -> message.delivery().attempt() == 2);
    assertThat(client.autoAck()).isTrue();
    assertThat(client.ackBatchSize()).isEqualTo(50);
    assertThat(client.ackTimeout()).isEqualTo(Duration.ofMinutes(1));
    assertThat(acked()).as("still gathered in a batch").isZero();
    eventually(
        () -> {
          client.flushAcks();
          assertThat(acked()).isEqualTo(2);
        });
    assertAllIsSettled(QUEUE);
  }

  @Test
  void shouldThrowWhatCouldNotBeSentAndSendItWhenTheNetworkIsBack() {
    // given
    client.setAutoAck(true).setAckBatchSize(50).setAckTimeout(Duration.ofMinutes(1));
    takeAll(2);
    eventually(() -> assertThat(parked()).isEqualTo(1));
    // when
    cut();
    AckException ofAck =
        catchThrowableOfType(AckException.class, () -> client.ackMessage(messages.get(0)));
    AckException ofFlush = catchThrowableOfType(AckException.class, client::flushAcks);
    restore();
    // then
    assertThat(ofAck).hasCauseInstanceOf(UnreachableException.class);
    assertThat(ofFlush.notApplied()).hasSize(2);
    eventually(() -> assertThat(client.flushAcks()).allMatch(AckResult::allApplied));
    eventually(() -> assertThat(acked()).isEqualTo(2));
    assertThat(heard.cleared).isEmpty();
  }

  @Test
  void shouldTakeAnAckForDoneIfItsAnswerIsLost() {
    // given
    takeAll(2);
    // when
    relay.loseAnswers("settle", 1);
    AckResult one = client.ackMessage(messages.get(0));
    relay.loseAnswers("settle", 1);
    AckResult other = client.nackMessage(messages.get(1), "broken");
    // then
    assertThat(relay.answersToLose()).isZero();
    assertThat(statuses(one)).containsExactly(Status.REPEATED);
    assertThat(statuses(other)).containsExactly(Status.REPEATED);
    assertThat(acked()).isEqualTo(1);
    assertThat(engine.stats().orThrow().totals().nacked()).isEqualTo(1);
  }

  @Test
  void shouldTakeANackAndWhatItGivesBackForDoneIfTheAnswerIsLost() {
    // given
    engine.configure(ConfigureRequest.queue(QUEUE).set(QueueOption.DELIVERY, "ordered")).orThrow();
    push(3);
    client.setAutoAck(true).setAckBatchSize(50);
    relay.loseAnswers("settle", 1);
    // when
    client.subscribeAsync(this::failOnce, TOPIC);
    eventually(() -> assertThat(acked()).isEqualTo(3));
    // then
    assertThat(relay.answersToLose()).isZero();
    assertThat(statuses(heard.settled.get(0)))
        .containsExactly(Status.REPEATED, Status.RELEASED, Status.RELEASED);
    assertThat(texts()).containsExactly("order 0", "order 0", "order 1", "order 2");
  }

  private void failOnce(QueueMessage message) {
    messages.add(message);
    if (messages.size() == 1) {
      throw new IllegalStateException("broken");
    }
  }

  @Test
  void shouldCloseAtOnceWhileItsPollIsParked() {
    // given
    client.subscribeAsync(messages::add, TOPIC);
    eventually(() -> assertThat(parked()).isEqualTo(1));
    // when
    promptly(client::close);
    // then
    eventually(() -> assertThat(parked()).isZero());
  }

  @Test
  void shouldCloseAtOnceWhileTheNetworkIsCut() {
    // given
    disconnectAfter(2);
    client.subscribeAsync(messages::add, TOPIC);
    eventually(() -> assertThat(parked()).isEqualTo(1));
    cut();
    eventually(() -> assertThat(heard.cleared).hasSize(1));
    // when
    promptly(client::close);
    // then
    assertThat(client.subscriptions()).isEmpty();
  }
}
