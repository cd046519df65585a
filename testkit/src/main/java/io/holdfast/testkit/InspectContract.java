package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Page;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.Attempt;
import io.holdfast.api.message.BrowsePlace;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.BrowsedMessage;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.message.Position;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/** The contract of looking: where a message is and why, and which messages there are. */
abstract class InspectContract extends ContractFixture {
  InspectContract(BrokerContract implementation) {
    super(implementation);
  }

  @Test
  void shouldExplainAMessageNobodyReads() {
    // given
    UUID id = push("a");
    // when
    MessageDetail detail = detail(id);
    // then
    assertThat(detail.message().id()).isEqualTo(id);
    assertThat(text(detail.message().payload())).isEqualTo("a");
    assertThat(detail.groups()).isEmpty();
    assertThat(detail.explain()).isNotBlank();
  }

  @Test
  void shouldExplainADelayedMessage() {
    // given
    pop(one());
    UUID id = push(message("a").delayMs(5_000)).id();
    // then
    MessageDetail.GroupView view = explained(id, MessageState.DELAYED);
    assertThat(view.visibleAtMs()).isEqualTo(now() + 5_000);
    assertThat(detail(id).message().visibleMs()).isEqualTo(now() + 5_000);
  }

  @Test
  void shouldExplainAWaitingMessage() {
    // given
    pop(one());
    UUID id = push("a");
    // then
    MessageDetail.GroupView view = explained(id, MessageState.WAITING);
    assertThat(view.leaseId()).isNull();
    assertThat(view.failures()).isZero();
    assertThat(view.attempts()).isEmpty();
  }

  @Test
  void shouldExplainAMessageInFlight() {
    // given
    UUID id = push("a");
    Popped popped = pop(one().worker("w1").leaseMs(10_000));
    // then
    MessageDetail.GroupView view = explained(id, MessageState.IN_FLIGHT);
    assertThat(view.leaseId()).isEqualTo(popped.leaseId());
    assertThat(view.worker()).isEqualTo("w1");
    assertThat(view.leaseUntilMs()).isEqualTo(now() + 10_000);
  }

  @Test
  void shouldExplainAMessageThatCameBack() {
    // given
    UUID id = push("a");
    long leased = now();
    Delivery held = popOne(one().worker("w1"));
    advanceSeconds(2);
    nack(held, "disk full");
    // then
    MessageDetail.GroupView view = explained(id, MessageState.RETURNED);
    assertThat(view.failures()).isEqualTo(1);
    assertThat(view.visibleAtMs()).isEqualTo(now() + 1_000);
    assertThat(view.leaseId()).isNull();
    assertThat(view.attempts())
        .containsExactly(new Attempt(1, Attempt.Cause.NACKED, "w1", leased, now(), "disk full"));
  }

  @Test
  void shouldExplainAMessageWhoseLeaseExpired() {
    // given
    UUID id = push("a");
    pop(one().worker("w1").leaseMs(10_000));
    advanceSeconds(10);
    eventuallyNoLeases();
    // then
    MessageDetail.GroupView view = explained(id, MessageState.RETURNED);
    assertThat(view.expiries()).isEqualTo(1);
    assertThat(view.attempts())
        .hasSize(1)
        .allSatisfy(
            attempt -> {
              assertThat(attempt.cause()).isEqualTo(Attempt.Cause.EXPIRED);
              assertThat(attempt.worker()).isEqualTo("w1");
              assertThat(attempt.error()).isNull();
            });
  }

  @Test
  void shouldExplainAMessageBehindOneThatCameBack() {
    // given
    List<UUID> ids = pushAll("a", "b");
    nack(popOne());
    // then
    explained(ids.get(1), MessageState.WAITING);
  }

  @Test
  void shouldExplainASettledMessage() {
    // given
    UUID id = push("a");
    ack(popOne());
    // then
    explained(id, MessageState.SETTLED);
  }

  @Test
  void shouldExplainADeadMessage() {
    // given
    UUID id = push("a");
    kill(popOne(), "poison");
    // then
    MessageDetail.GroupView view = explained(id, MessageState.DEAD);
    assertThat(view.attempts()).extracting(Attempt::cause).containsExactly(Attempt.Cause.KILLED);
  }

  @Test
  void shouldExplainEachGroupByItself() {
    // given
    UUID id = push("a");
    ack(popOne());
    popOne(one().group("other"));
    // then
    assertThat(view(id, GROUP).state()).isEqualTo(MessageState.SETTLED);
    assertThat(view(id, "other").state()).isEqualTo(MessageState.IN_FLIGHT);
  }

  @Test
  void shouldExplainAMessageByName() {
    // given
    UUID id = push(named("t1")).id();
    // then
    assertThat(broker.message(MessageRef.named(QUEUE, PARTITION, "t1")).orThrow().message().id())
        .isEqualTo(id);
  }

  @Test
  void shouldKnowADelayedMessageByItsIdAllItsLife() {
    // given
    pop(one());
    UUID id = push(message("a").delayMs(1_000)).id();
    // when
    advanceSeconds(1);
    // then
    eventually(() -> assertThat(state(id)).isEqualTo(MessageState.WAITING));
    ack(popOne());
    assertThat(state(id)).isEqualTo(MessageState.SETTLED);
    restart();
    assertThat(state(id)).isEqualTo(MessageState.SETTLED);
  }

  @Test
  void shouldKeepTheNewestFailedAttempts() {
    // given
    configure(
        ConfigureRequest.queue(QUEUE)
            .set(QueueOption.RETRY_LIMIT, 100)
            .set(QueueOption.RETRY_DELAY, 0));
    UUID id = push("a");
    // when
    for (int i = 1; i <= 40; i++) {
      nack(popOne(), "error " + i);
    }
    // then
    List<Attempt> attempts = view(id, GROUP).attempts();
    assertThat(attempts).hasSize(32);
    assertThat(attempts.getFirst().number()).isEqualTo(9);
    assertThat(attempts.getLast().number()).isEqualTo(40);
    assertThat(attempts.getLast().error()).isEqualTo("error 40");
    restart();
    assertThat(view(id, GROUP).attempts()).isEqualTo(attempts);
  }

  @Test
  void shouldEndAPageOfLargeMessagesEarly() {
    // given
    String large = "x".repeat(900_000);
    for (int i = 0; i < 6; i++) {
      push(large);
    }
    // when
    List<BrowsedMessage> all = new ArrayList<>();
    Page<BrowsedMessage> page = broker.browse(BrowseRequest.queue(QUEUE)).orThrow();
    int first = page.items().size();
    all.addAll(page.items());
    while (page.next() != null) {
      page = broker.browse(BrowseRequest.queue(QUEUE).after(page.next())).orThrow();
      all.addAll(page.items());
    }
    // then
    assertThat(first).isBetween(1, 5);
    assertThat(all).extracting(found -> found.message().id()).doesNotHaveDuplicates().hasSize(6);
  }

  @Test
  void shouldNotExplainWhatIsNotThere() {
    // given
    push("a");
    // then
    assertRefused(broker.message(MessageRef.id(UUID.randomUUID())), ErrorCode.NOT_FOUND);
    assertRefused(
        broker.message(MessageRef.named(QUEUE, PARTITION, "no-such")), ErrorCode.NOT_FOUND);
  }

  @Test
  void shouldBrowseWithoutTaking() {
    // given
    pushAll("a", "b");
    // when
    Page<BrowsedMessage> page = broker.browse(BrowseRequest.queue(QUEUE)).orThrow();
    // then
    assertThat(browsed(BrowseRequest.queue(QUEUE))).containsExactly("a", "b");
    assertThat(page.items()).extracting(BrowsedMessage::state).containsOnly(MessageState.WAITING);
    assertThat(page.next()).isNull();
    assertThat(payloads(popAll())).containsExactly("a", "b");
  }

  @Test
  void shouldBrowseByState() {
    // given: a message in each state
    pushAll("settled", "dead", "held", "returned", "waiting");
    push(message("delayed").delayMs(5_000));
    List<Delivery> held = pop(one().batch(4)).messages();
    ack(held.get(0));
    kill(held.get(1), "poison");
    nack(held.get(3));
    // then
    BrowseRequest all = BrowseRequest.queue(QUEUE);
    assertThat(browsed(all.states(MessageState.SETTLED))).containsExactly("settled");
    assertThat(browsed(all.states(MessageState.DEAD))).containsExactly("dead");
    assertThat(browsed(all.states(MessageState.IN_FLIGHT))).containsExactly("held");
    assertThat(browsed(all.states(MessageState.RETURNED))).containsExactly("returned");
    assertThat(browsed(all.states(MessageState.WAITING))).containsExactly("waiting");
    assertThat(browsed(all.states(MessageState.DELAYED))).containsExactly("delayed");
    assertThat(browsed(all.states(MessageState.WAITING, MessageState.IN_FLIGHT)))
        .containsExactlyInAnyOrder("held", "waiting");
    assertThat(browsed(all))
        .containsExactlyInAnyOrder("settled", "dead", "held", "returned", "waiting", "delayed");
  }

  @Test
  void shouldBrowseAsAGroupSeesIt() {
    // given
    push("a");
    ack(popOne());
    pop(one().group("other").start(StartFrom.ALL).batch(1));
    // then
    BrowseRequest all = BrowseRequest.queue(QUEUE);
    assertThat(browsed(all.states(MessageState.SETTLED))).containsExactly("a");
    assertThat(browsed(all.group("other").states(MessageState.IN_FLIGHT))).containsExactly("a");
  }

  @Test
  void shouldBrowseTheDeadOfOneGroupAmongMany() {
    // given: of 200 messages few are dead for one group, and half of them for the other
    String[] names = new String[200];
    Arrays.setAll(names, i -> "m" + i);
    pushAll(names);
    settleAll("few", i -> i % 70 == 35);
    settleAll("half", i -> i % 2 == 0);
    // then
    BrowseRequest all = BrowseRequest.queue(QUEUE).limit(200);
    BrowseRequest few = all.group("few");
    assertThat(browsed(few.states(MessageState.DEAD))).containsExactly("m35", "m105", "m175");
    assertThat(browsed(few.states(MessageState.SETTLED)))
        .hasSize(197)
        .doesNotContain("m35", "m105", "m175");
    BrowseRequest half = all.group("half");
    assertThat(browsed(half.states(MessageState.DEAD))).hasSize(100).contains("m0", "m198");
    assertThat(browsed(half.states(MessageState.SETTLED))).hasSize(100).contains("m1", "m199");
    assertThat(browsed(half)).containsExactlyInAnyOrder(names);
  }

  private void settleAll(String group, IntPredicate dies) {
    List<Delivery> taken = pop(one().group(group).start(StartFrom.ALL).batch(200)).messages();
    List<Settle> settles = new ArrayList<>();
    for (Delivery delivery : taken) {
      settles.add(
          dies.test(settles.size())
              ? Settle.kill(delivery.handle(), "poison")
              : Settle.ack(delivery.handle()));
    }
    broker.settle(SettleRequest.of(settles)).orThrow();
  }

  @Test
  void shouldBrowseWhatWaitsBehindMuchThatIsSettled() {
    // given: one in the midst of what is settled came back
    for (int i = 0; i < 30; i++) {
      push("m" + i);
    }
    List<Delivery> taken = pop(one().batch(20)).messages();
    for (int i = 0; i < 20; i++) {
      if (i == 7) {
        nack(taken.get(i));
      } else {
        ack(taken.get(i));
      }
    }
    // then
    BrowseRequest all = BrowseRequest.queue(QUEUE);
    assertThat(browsed(all.states(MessageState.WAITING))).hasSize(10).startsWith("m20");
    assertThat(browsed(all.states(MessageState.RETURNED))).containsExactly("m7");
    assertThat(browsed(all.states(MessageState.SETTLED))).hasSize(19).doesNotContain("m7");
  }

  @Test
  void shouldBrowseByPartitionNameAndTime() {
    // given
    push(named("t1").partition("p1"));
    advanceSeconds(10);
    push(named("t2").partition("p2"));
    // then
    BrowseRequest all = BrowseRequest.queue(QUEUE);
    assertThat(browsed(all.partition("p1"))).containsExactly("t1");
    assertThat(browsed(all.transactionId("t2"))).containsExactly("t2");
    assertThat(browsed(all.created(now(), now() + 1))).containsExactly("t2");
    assertThat(browsed(all.created(0, now()))).containsExactly("t1");
    assertThat(browsed(all.partition("p9"))).isEmpty();
  }

  @Test
  void shouldBrowseByPage() {
    // given
    for (int i = 0; i < 7; i++) {
      push(message("m" + i).partition("p" + i % 2).lane(i % 3));
    }
    push(message("m7").delayMs(5_000));
    // when
    List<String> seen = new ArrayList<>();
    String after = null;
    int pages = 0;
    do {
      Page<BrowsedMessage> page =
          broker.browse(BrowseRequest.queue(QUEUE).limit(3).after(after)).orThrow();
      page.items().forEach(item -> seen.add(text(item.message().payload())));
      after = page.next();
      assertThat(++pages).isLessThan(20);
    } while (after != null);
    // then
    assertThat(seen).containsExactlyInAnyOrder("m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7");
  }

  @Test
  void shouldBrowseBehindAPlace() {
    // given: two lanes of one partition
    pushAll("a", "b");
    push(message("low").lane(3));
    push("c");
    BrowseRequest all = BrowseRequest.queue(QUEUE).partition(PARTITION);
    List<Position> lane =
        broker.browse(all).orThrow().items().stream()
            .map(item -> item.message().position())
            .filter(position -> position.lane() == 0)
            .toList();
    // then
    long second = lane.get(1).seq();
    long last = lane.get(2).seq();
    assertThat(browsed(all.after(BrowsePlace.inLane(PARTITION, 0, -1).text())))
        .containsExactly("a", "b", "c", "low");
    assertThat(browsed(all.after(BrowsePlace.inLane(PARTITION, 0, second).text())))
        .containsExactly("c", "low");
    assertThat(browsed(all.after(BrowsePlace.inLane(PARTITION, 0, last).text())))
        .containsExactly("low");
    assertThat(browsed(all.after(BrowsePlace.inLane(PARTITION, 0, Long.MAX_VALUE - 1).text())))
        .containsExactly("low");
    assertThat(browsed(all.after(BrowsePlace.inLane(PARTITION, 1, last).text())))
        .containsExactly("low");
    assertThat(browsed(all.after(BrowsePlace.inLane(PARTITION, 4, -1).text()))).isEmpty();
    assertThatThrownBy(() -> broker.browse(all.after("elsewhere")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("after: expected the next of an earlier page");
  }

  @Test
  void shouldBrowseFromATimeInALongLane() {
    // given: each push is a chunk of its own
    for (int i = 0; i < 40; i++) {
      push("m" + i);
      advanceSeconds(1);
    }
    long now = now();
    // then
    BrowseRequest all = BrowseRequest.queue(QUEUE);
    assertThat(browsed(all.created(now - 3_000, now))).containsExactly("m37", "m38", "m39");
    assertThat(browsed(all.created(now - 3_000, now - 1_000))).containsExactly("m37", "m38");
    assertThat(browsed(all.created(now, Long.MAX_VALUE))).isEmpty();
    assertThat(browsed(all.created(now - 39_500, now))).hasSize(39).startsWith("m1");
  }

  @Test
  void shouldNotBrowseAQueueThatIsNotThere() {
    assertRefused(broker.browse(BrowseRequest.queue("no-such")), ErrorCode.NOT_FOUND);
  }

  private MessageDetail.GroupView explained(UUID id, MessageState expected) {
    MessageDetail.GroupView view = view(id, GROUP);
    assertThat(view.state()).isEqualTo(expected);
    assertThat(view.explain()).isNotBlank();
    assertThat(detail(id).explain()).isNotBlank();
    return view;
  }

  private List<String> browsed(BrowseRequest request) {
    return broker.browse(request).orThrow().items().stream()
        .map(item -> text(item.message().payload()))
        .toList();
  }
}
