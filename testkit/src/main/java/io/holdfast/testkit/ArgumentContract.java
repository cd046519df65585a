package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.Limits;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.RescheduleRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.PurgeRequest;
import io.holdfast.api.queue.QueueOption;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * The contract of arguments: what no broker could accept is refused by name, what is odd is not.
 */
abstract class ArgumentContract extends ContractFixture {
  private static final String LONGEST = "n".repeat(255);

  ArgumentContract(BrokerContract implementation) {
    super(implementation);
  }

  @Test
  void shouldRefuseBadNames() {
    for (String bad : List.of("", LONGEST + "n", "new\nline", "nul\0", "half\ud800")) {
      assertBad("queue", () -> NewMessage.to(bad, new byte[0]));
      assertBad("partition", () -> message("a").partition(bad));
      assertBad("queue", () -> PopRequest.queue(bad));
      assertBad("partition", () -> PopRequest.partition(QUEUE, bad));
      assertBad("group", () -> one().group(bad));
      assertBad("worker", () -> one().worker(bad));
      assertBad("queue", () -> ConfigureRequest.queue(bad));
      assertBad("queue", () -> BrowseRequest.queue(bad));
      assertBad("queue", () -> new PurgeRequest(bad, null));
      assertBad("leaseId", () -> ExtendRequest.of(bad, 1));
      assertBad("leaseId", () -> Settle.ackAll(bad));
    }
  }

  @Test
  void shouldRefuseBadKeys() {
    for (String bad : List.of("", "k".repeat(1_025), "tab\t")) {
      assertBad("transactionId", () -> message("a").transactionId(bad));
      assertBad("requestId", () -> PushRequest.of(message("a")).requestId(bad));
      assertBad("journal", () -> new JournalRequest(bad, 0, 1));
      assertBad("key", () -> RecordRequest.of(bad));
      assertBad("key", () -> new Operation.PutRecord(bad, 0, new byte[0]));
    }
  }

  @Test
  void shouldRefuseTimesThatCannotBe() {
    assertBad("delayMs", () -> message("a").delayMs(-1));
    assertBad("delayMs", () -> message("a").delayMs(Limits.DURATION_MS_MAX + 1));
    assertBad("visibleAtMs", () -> message("a").visibleAtMs(-1));
    assertBad("delayMs", () -> message("a").delayMs(1).visibleAtMs(1));
    assertBad("waitMs", () -> one().waitMs(-1));
    assertBad("waitMs", () -> one().waitMs(Limits.WAIT_MS_MAX + 1));
    assertBad("leaseMs", () -> one().leaseMs(-1));
    assertBad("leaseMs", () -> one().leaseMs(Limits.LEASE_MS_MAX + 1));
    assertBad("leaseMs", () -> ExtendRequest.of("AAAAAAAAAAA", 0));
    assertBad("visibleAtMs", () -> new RescheduleRequest(MessageRef.id(new UUID(0, 0)), -1));
    assertBad("delayMs", () -> Settle.ackAll("AAAAAAAAAAA").delayMs(-2));
    assertBad("fromMs", () -> new StartFrom.Time(-1));
  }

  @Test
  void shouldRefuseCountsThatCannotBe() {
    assertBad("batch", () -> one().batch(0));
    assertBad("batch", () -> one().batch(Limits.BATCH_MAX + 1));
    assertBad("partitions", () -> one().partitions(0));
    assertBad("lane", () -> message("a").lane(-1));
    assertBad("limit", () -> BrowseRequest.queue(QUEUE).limit(0));
    assertBad("limit", () -> BrowseRequest.queue(QUEUE).limit(Limits.PAGE_MAX + 1));
    assertBad("from", () -> new JournalRequest("j", -1, 1));
    assertBad("operations", CommitRequest::of);
    assertBad("settles", SettleRequest::of);
  }

  @Test
  void shouldRefuseOptionsThatCannotBe() {
    assertBad("leaseTime", () -> ConfigureRequest.queue(QUEUE).set(QueueOption.LEASE_TIME, 0));
    assertBad("leaseTime", () -> ConfigureRequest.queue(QUEUE).set(QueueOption.LEASE_TIME, "1"));
    assertBad("delivery", () -> ConfigureRequest.queue(QUEUE).set(QueueOption.DELIVERY, "fast"));
    assertBad("track", () -> ConfigureRequest.queue(QUEUE).set(QueueOption.TRACK, 1));
    assertBad("noSuchOption", () -> QueueOption.named("noSuchOption"));
  }

  @Test
  void shouldRefuseRestWhereItMeansNothing() {
    assertBad("rest", () -> Settle.ackAll("AAAAAAAAAAA").withRest());
  }

  @Test
  void shouldAcceptOddNames() {
    // given
    for (String odd : List.of(LONGEST, "a/b?c=d&e#f%2e", "  spaces ", "имя 名 🚚", "..", "__")) {
      // when
      push(
          NewMessage.to(odd, bytes("a"))
              .partition(odd)
              .transactionId(odd)
              .headers(Map.of("name", odd)));
      Delivery delivery = popOne(PopRequest.partition(odd, odd).group(odd).worker(odd));
      // then
      assertThat(delivery.message().queue()).isEqualTo(odd);
      assertThat(delivery.message().partition()).isEqualTo(odd);
      assertThat(delivery.message().transactionId()).isEqualTo(odd);
      assertThat(delivery.message().headers()).containsOnly(Map.entry("name", odd));
      assertThat(view(delivery.message().id(), odd).worker()).isEqualTo(odd);
      assertStatus(ack(delivery), Status.ACKED);
      assertThat(broker.queue(odd).orThrow().name()).isEqualTo(odd);
    }
  }

  private static void assertBad(String field, ThrowingCallable making) {
    assertThatThrownBy(making)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(field);
  }
}
