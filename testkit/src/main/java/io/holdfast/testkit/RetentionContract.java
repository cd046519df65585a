package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.group.Sought;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.queue.QueueOption;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The contract of keeping: what was settled stays for a while, what is too old never comes. */
abstract class RetentionContract extends ContractFixture {
  private static final SeekRequest REPLAY =
      new SeekRequest(QUEUE, GROUP, null, new SeekRequest.To.Beginning());

  RetentionContract(BrokerContract implementation) {
    super(implementation);
  }

  @Test
  void shouldKeepSettledMessagesForAnHour() {
    // given
    UUID id = push("a");
    ack(popOne());
    // when
    advanceSeconds(3_599);
    // then
    assertThat(state(id)).isEqualTo(MessageState.SETTLED);
    broker.seek(REPLAY).orThrow();
    assertThat(payload(popOne())).isEqualTo("a");
  }

  @Test
  void shouldForgetSettledMessagesAfterTheirRetention() {
    // given
    configure(QueueOption.COMPLETED_RETENTION, 60);
    push("a");
    ack(popOne());
    // when
    advanceSeconds(61);
    broker.seek(REPLAY).orThrow();
    // then
    assertNothingToPop();
    assertThat(pop(one().group("late")).messages()).isEmpty();
    eventually(
        () -> {
          // What is swept between the seek and the pop still counts as unread.
          advanceSeconds(2);
          assertThat(broker.queue(QUEUE).orThrow().counts().stored()).isZero();
        });
  }

  @Test
  void shouldForgetTheMessageOfAnId() {
    // given
    configure(QueueOption.COMPLETED_RETENTION, 60);
    UUID id = push("a");
    ack(popOne());
    // when
    advanceSeconds(61);
    // then
    eventually(() -> assertRefused(broker.message(MessageRef.id(id)), ErrorCode.NOT_FOUND));
  }

  @Test
  void shouldKeepUnsettledMessagesForEver() {
    // given
    pushAll("a", "b");
    ack(popOne());
    // when
    advanceSeconds(365L * 24 * 3_600);
    restart();
    // then
    assertThat(payloads(popSoon(many()))).containsExactly("b");
  }

  @Test
  void shouldKeepWhatOneGroupHasNotSettled() {
    // given
    pop(one().group("slow"));
    push("a");
    ack(popOne());
    // when
    advanceSeconds(2 * 3_600);
    // then
    assertThat(payloads(pop(one().group("slow")))).containsExactly("a");
  }

  @Test
  void shouldNotDeliverWhatIsTooOldThoughItIsUnsettled() {
    // given
    configure(QueueOption.RETENTION, 60);
    push("old");
    advanceSeconds(30);
    push("young");
    // when
    advanceSeconds(31);
    // then
    assertThat(payloads(popAll())).containsExactly("young");
    assertThat(deadLetters().total()).isZero();
  }

  @Test
  void shouldCountTheAgeOfADelayedMessageFromItsLane() {
    // given
    configure(QueueOption.RETENTION, 60);
    push(message("a").delayMs(120_000));
    // when
    advanceSeconds(120);
    // then
    assertThat(payload(popOneSoon())).isEqualTo("a");
  }

  @Test
  void shouldSayThatASeekStoppedAtTheOldest() {
    // given
    configure(QueueOption.COMPLETED_RETENTION, 60);
    long start = now();
    push("a");
    ack(popOne());
    advanceSeconds(30);
    push("b");
    advanceSeconds(31);
    eventually(() -> assertThat(broker.queue(QUEUE).orThrow().counts().stored()).isEqualTo(1));
    // when
    Sought sought =
        broker.seek(new SeekRequest(QUEUE, GROUP, null, new SeekRequest.To.Time(start))).orThrow();
    // then
    assertThat(sought.clamped()).isTrue();
    assertThat(payloads(popAll())).containsExactly("b");
  }
}
