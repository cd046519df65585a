package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Page;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.group.Sought;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.group.SubscribeRequest;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Popped.Reason;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.Settle.Outcome;
import io.holdfast.api.lease.SettleVerdict.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of groups: where each begins, how far it is, and how it is moved. */
abstract class GroupContract extends ContractFixture {
  private static final String OTHER = "other";

  GroupContract(BrokerContract implementation) {
    super(implementation);
  }

  @Test
  void shouldDeliverEveryMessageToEveryGroup() {
    // given
    pushAll("a", "b");
    // when
    ackAll(popAll());
    // then
    assertThat(payloads(pop(many().group(OTHER)))).containsExactly("a", "b");
  }

  @Test
  void shouldLockAndRetryForOneGroupOnly() {
    // given
    push("a");
    Delivery mine = popOne();
    // when
    Delivery others = popOne(one().group(OTHER));
    nack(others);
    // then
    assertStatus(ack(mine), Status.ACKED);
    assertThat(pop(one().group(OTHER)).reason()).isEqualTo(Reason.BACKOFF);
  }

  @Test
  void shouldRefuseAnotherGroupsSettleWithoutALease() {
    // given
    UUID id = push("a");
    popOne();
    pop(one().group(OTHER).autoAck(true));
    // then
    assertStatus(settle(Settle.unfenced(OTHER, id, Outcome.ACK, null)), Status.NOT_FOUND);
  }

  @Test
  void shouldBeginWithEverythingByDefault() {
    // given
    push("a");
    // then
    assertThat(payloads(popAll())).containsExactly("a");
    assertThat(group(GROUP).start()).isEqualTo(StartFrom.ALL);
  }

  @Test
  void shouldBeginWithWhatIsNewIfAskedTo() {
    // given
    push("before");
    assertThat(pop(many().start(StartFrom.NEW)).messages()).isEmpty();
    // when
    push("after");
    // then
    assertThat(payloads(popAll())).containsExactly("after");
    assertThat(group(GROUP).start()).isEqualTo(StartFrom.NEW);
  }

  @Test
  void shouldBeginWithWhatIsNewInEveryLaneAndPartition() {
    // given
    pushAll(message("x").lane(3), message("x").partition("p1"));
    pop(many().start(StartFrom.NEW));
    // when
    pushAll(
        message("a").lane(1),
        message("b").lane(3),
        message("c").partition("p1"),
        message("d").partition("p2"));
    // then
    assertThat(payloads(popAll())).containsExactlyInAnyOrder("a", "b", "c", "d");
  }

  @Test
  void shouldBeginAtATimeIfAskedTo() {
    // given
    push("old");
    advanceSeconds(10);
    long from = now();
    push("young");
    push(message("other partition").partition("p1"));
    // when
    Popped popped = pop(many().start(new StartFrom.Time(from)));
    // then
    assertThat(payloads(popped)).containsExactlyInAnyOrder("young", "other partition");
  }

  @Test
  void shouldBeginAtATimeByWhenADelayedMessageEntered() {
    // given
    push(message("delayed").delayMs(10_000));
    push("at once");
    advanceSeconds(10);
    eventually(() -> assertThat(stats().delayed()).isZero());
    // when
    Popped popped = pop(many().start(new StartFrom.Time(now())));
    // then
    assertThat(payloads(popped)).containsExactly("delayed");
  }

  @Test
  void shouldDecideItsBeginningOnce() {
    // given
    push("a");
    pop(one().start(StartFrom.NEW));
    // when
    Popped again = pop(one().start(StartFrom.ALL));
    // then
    assertThat(again.messages()).isEmpty();
    assertThat(group(GROUP).start()).isEqualTo(StartFrom.NEW);
  }

  @Test
  void shouldKeepItsBeginningOverARestart() {
    // given
    push("before");
    pop(one().start(StartFrom.NEW));
    // when
    restart();
    push("after");
    // then
    assertThat(payloads(popAll())).containsExactly("after");
  }

  @Test
  void shouldBeginAtATimeThatIsStillToCome() {
    // given
    push("before");
    assertThat(pop(many().start(new StartFrom.Time(now() + 10_000))).messages()).isEmpty();
    // when
    pushAll(message("early"), message("early").partition("p1").lane(2));
    // then
    assertNothingToPop();
    assertThat(group(GROUP).lag()).isZero();
    // when
    advanceSeconds(10);
    pushAll(message("a"), message("b").partition("p1").lane(2), message("c").partition("p2"));
    // then
    assertThat(payloads(popAll())).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void shouldBeginElsewhereOnPartitionsThatComeLater() {
    // given
    push(message("here").partition("p1"));
    pop(one().autoAck(true));
    StartFrom later = new StartFrom.Time(now() + 10_000);
    // when
    StartFrom before = subscribeFrom(later);
    pushAll(message("here too").partition("p1"), message("early").partition("p2"));
    // then
    assertThat(before).isEqualTo(StartFrom.ALL);
    assertThat(group(GROUP).start()).isEqualTo(later);
    assertThat(group(GROUP).lag()).isEqualTo(1);
    assertThat(payloads(popAll())).containsExactly("here too");
    // when
    advanceSeconds(10);
    push(message("in time").partition("p2"));
    // then
    assertThat(payloads(popAll())).containsExactly("in time");
  }

  @Test
  void shouldKeepItsPlaceWhenItsBeginningChanges() {
    // given
    pushAll(message("read").partition("p1"), message("unread").partition("p2"));
    Popped first = pop(PopRequest.partition(QUEUE, "p1").group(GROUP));
    // when
    subscribeFrom(StartFrom.NEW);
    subscribeFrom(new StartFrom.Time(now() + 10_000));
    restart();
    // then
    assertStatus(ackAll(first), Status.ACKED);
    assertThat(payloads(popAll())).containsExactly("unread");
  }

  @Test
  void shouldKeepAChangedBeginningOverARestart() {
    // given
    pop(one());
    StartFrom later = new StartFrom.Time(now() + 10_000);
    subscribeFrom(later);
    push(message("early").partition("p1"));
    // when
    restart();
    pushAll(message("early").partition("p1"), message("early").partition("p2"));
    // then
    assertThat(group(GROUP).start()).isEqualTo(later);
    assertNothingToPop();
    // when
    advanceSeconds(10);
    push(message("in time").partition("p1"));
    // then
    assertThat(payloads(popAll())).containsExactly("in time");
  }

  @Test
  void shouldKeepTheBeginningUnderWhichAPartitionCame() {
    // given
    pop(one().start(new StartFrom.Time(now() + 10_000)));
    push(message("early").partition("p1"));
    // when
    subscribeFrom(new StartFrom.Time(now() + 20_000));
    push(message("early").partition("p2"));
    subscribeFrom(StartFrom.ALL);
    restart();
    pushAll(
        message("early").partition("p1"),
        message("early").partition("p2"),
        message("a").partition("p3"));
    // then
    assertThat(payloads(popAll())).containsExactly("a");
    // when
    advanceSeconds(10);
    pushAll(message("b").partition("p1"), message("early").partition("p2"));
    // then
    assertThat(payloads(pop(PopRequest.partition(QUEUE, "p1").group(GROUP)))).containsExactly("b");
    assertThat(group(GROUP).waiting()).isZero();
  }

  @Test
  void shouldNotChangeTheBeginningOfWhatIsNotThere() {
    // given
    push("a");
    // then
    assertRefused(
        broker.subscribeFrom(new SubscribeRequest(QUEUE, OTHER, StartFrom.ALL)),
        ErrorCode.NOT_FOUND);
    assertRefused(
        broker.subscribeFrom(new SubscribeRequest("no-such", GROUP, StartFrom.ALL)),
        ErrorCode.NOT_FOUND);
  }

  @Test
  void shouldSettleAtDeliveryIfAskedTo() {
    // given
    pushAll("a", "b", "c");
    // when
    Popped popped = pop(one().batch(2).autoAck(true));
    // then
    assertThat(payloads(popped)).containsExactly("a", "b");
    assertThat(popped.leaseId()).isEmpty();
    assertThat(popped.leaseUntilMs()).isZero();
    assertThat(popped.messages()).extracting(Delivery::leaseId).containsOnly("");
    assertThat(stats().leases()).isZero();
    restart();
    assertThat(payloads(popAll())).containsExactly("c");
  }

  @Test
  void shouldNotSettleAtDeliveryWhileLocked() {
    // given
    pushAll("a", "b");
    popOne();
    // then
    assertThat(pop(one().autoAck(true)).reason()).isEqualTo(Reason.LOCKED);
  }

  @Test
  void shouldMeasureItsLag() {
    // given
    push("a");
    advanceSeconds(2);
    pushAll("b", "c");
    advanceSeconds(3);
    List<Delivery> held = pop(one().batch(2)).messages();
    nack(held.get(1));
    // then
    GroupInfo info = group(GROUP);
    assertThat(info.queue()).isEqualTo(QUEUE);
    assertThat(info.createdMs()).isEqualTo(now());
    assertThat(info.lag()).isEqualTo(3);
    assertThat(info.lagMs()).isEqualTo(5_000);
    assertThat(info.waiting()).isEqualTo(1);
    assertThat(info.returned()).isEqualTo(1);
    assertThat(info.inFlight()).isEqualTo(1);
    assertThat(info.leases()).isEqualTo(1);
    // when
    ack(held.get(0));
    // then
    assertThat(group(GROUP).lag()).isEqualTo(2);
    assertThat(group(GROUP).lagMs()).isEqualTo(3_000);
    restart();
    assertThat(group(GROUP).lag()).isEqualTo(2);
  }

  @Test
  void shouldHaveNoLagWhenItIsDone() {
    // given
    push("a");
    ack(popOne());
    advanceSeconds(5);
    // then
    assertThat(group(GROUP).lag()).isZero();
    assertThat(group(GROUP).lagMs()).isZero();
  }

  @Test
  void shouldMeasureTheLagOfWhatIsNew() {
    // given
    pushAll("a", "b");
    pop(one().start(StartFrom.NEW));
    // then
    assertThat(group(GROUP).lag()).isZero();
    push("c");
    assertThat(group(GROUP).lag()).isEqualTo(1);
  }

  @Test
  void shouldBeListed() {
    // given
    pop(one());
    pop(one().group(OTHER));
    pop(PopRequest.queue("q2").group(OTHER));
    // then
    assertThat(names(GroupsRequest.ofQueue(QUEUE)))
        .containsExactlyInAnyOrder(QUEUE + "/" + GROUP, QUEUE + "/" + OTHER);
    assertThat(names(new GroupsRequest(null, OTHER)))
        .containsExactlyInAnyOrder(QUEUE + "/" + OTHER, "q2/" + OTHER);
    assertThat(names(new GroupsRequest(null, null))).hasSize(3);
    assertThat(broker.queue(QUEUE).orThrow().groups()).isEqualTo(2);
  }

  @Test
  void shouldSeekToTheBeginning() {
    // given
    pushAll("a", "b");
    ackAll(popAll());
    // when
    Sought sought = seek(null, new SeekRequest.To.Beginning());
    // then
    assertThat(sought.partitions()).isEqualTo(1);
    assertThat(sought.lag()).isEqualTo(2);
    assertThat(sought.clamped()).isFalse();
    Popped popped = popAll();
    assertThat(payloads(popped)).containsExactly("a", "b");
    assertStatus(ackAll(popped), Status.ACKED);
    assertNothingToPop();
  }

  @Test
  void shouldSeekToTheEnd() {
    // given
    pushAll("a", "b");
    // when
    pop(one().autoAck(true));
    Sought sought = seek(null, new SeekRequest.To.End());
    // then
    assertThat(sought.lag()).isZero();
    assertNothingToPop();
    push("c");
    assertThat(payloads(popAll())).containsExactly("c");
  }

  @Test
  void shouldSeekToATime() {
    // given
    push("a");
    advanceSeconds(10);
    long from = now();
    pushAll("b", "c");
    ackAll(popAll());
    // when
    Sought sought = seek(null, new SeekRequest.To.Time(from));
    // then
    assertThat(sought.lag()).isEqualTo(2);
    restart();
    assertThat(payloads(popAll())).containsExactly("b", "c");
  }

  @Test
  void shouldSeekInOnePartitionOnly() {
    // given
    pushAll(message("a").partition("p1"), message("b").partition("p2"));
    ackAll(popAll());
    // when
    seek("p2", new SeekRequest.To.Beginning());
    // then
    assertThat(payloads(popAll())).containsExactly("b");
  }

  @Test
  void shouldEndLeasesWhereItSeeks() {
    // given
    push("a");
    Delivery held = popOne();
    // when
    seek(null, new SeekRequest.To.Beginning());
    // then
    assertNotApplied(ack(held));
    assertThat(stats().leases()).isZero();
    assertThat(payload(popOne())).isEqualTo("a");
  }

  @Test
  void shouldForgetWhatCameBackWhereItSeeks() {
    // given
    push("a");
    nack(popOne());
    // when
    seek(null, new SeekRequest.To.Beginning());
    // then
    Delivery again = popOne();
    assertThat(again.failures()).isZero();
    assertThat(again.attempt()).isEqualTo(1);
    // when
    nack(again);
    seek(null, new SeekRequest.To.End());
    advanceSeconds(60);
    // then
    assertNothingToPop();
  }

  @Test
  void shouldNotMoveOthersWhenItSeeks() {
    // given
    push("a");
    ack(popOne());
    ack(popOne(one().group(OTHER)));
    // when
    seek(null, new SeekRequest.To.Beginning());
    // then
    assertThat(pop(one().group(OTHER)).messages()).isEmpty();
  }

  @Test
  void shouldNotSeekWhatIsNotThere() {
    // given
    push("a");
    SeekRequest.To end = new SeekRequest.To.End();
    // then
    assertRefused(broker.seek(new SeekRequest(QUEUE, OTHER, null, end)), ErrorCode.NOT_FOUND);
    assertRefused(broker.seek(new SeekRequest("no-such", GROUP, null, end)), ErrorCode.NOT_FOUND);
  }

  @Test
  void shouldBeDeletedWithItsLeasesAndDeadLetters() {
    // given
    pushAll("a", "b");
    kill(popOne(one().group(OTHER)), "poison");
    Delivery held = popOne(one().group(OTHER));
    // when
    broker.deleteGroup(QUEUE, OTHER).orThrow();
    // then
    assertNotApplied(ack(held));
    assertThat(deadLetters().total()).isZero();
    assertThat(names(GroupsRequest.ofQueue(QUEUE))).isEmpty();
    assertRefused(broker.deleteGroup(QUEUE, OTHER), ErrorCode.NOT_FOUND);
    restart();
    assertThat(payloads(pop(many().group(OTHER)))).containsExactly("a", "b");
  }

  @Test
  void shouldNotBeDeletedWhereItIsNot() {
    assertRefused(broker.deleteGroup("no-such", GROUP), ErrorCode.NOT_FOUND);
  }

  private Sought seek(@Nullable String partition, SeekRequest.To to) {
    return broker.seek(new SeekRequest(QUEUE, GROUP, partition, to)).orThrow();
  }

  private StartFrom subscribeFrom(StartFrom start) {
    return broker.subscribeFrom(new SubscribeRequest(QUEUE, GROUP, start)).orThrow();
  }

  @Test
  void shouldBeListedInPages() {
    // given
    List<String> made = new ArrayList<>();
    for (String queue : List.of("q-2", QUEUE, "q10")) {
      for (int i = 0; i < 3; i++) {
        pop(PopRequest.queue(queue).group("g" + i));
        made.add(queue + "/g" + i);
      }
    }
    // when
    List<String> listed = new ArrayList<>();
    GroupsRequest request = new GroupsRequest(null, null).limit(2);
    Page<GroupInfo> page = broker.groups(request).orThrow();
    for (String next = page.next(); next != null; next = page.next()) {
      assertThat(page.items()).hasSize(2);
      page.items().forEach(info -> listed.add(info.queue() + "/" + info.group()));
      // What was listed may go meanwhile.
      broker.deleteGroup(page.items().getFirst().queue(), page.items().getFirst().group());
      page = broker.groups(request.after(next)).orThrow();
    }
    page.items().forEach(info -> listed.add(info.queue() + "/" + info.group()));
    // then
    assertThat(listed).containsExactlyInAnyOrderElementsOf(made);
  }

  @Test
  void shouldBeListedInPagesOfOneQueueAndOfOneName() {
    // given
    for (String queue : List.of("q2", QUEUE)) {
      pop(PopRequest.queue(queue).group(GROUP));
      pop(PopRequest.queue(queue).group(OTHER));
    }
    for (GroupsRequest request :
        List.of(GroupsRequest.ofQueue(QUEUE), new GroupsRequest(null, OTHER))) {
      // when
      Page<GroupInfo> first = broker.groups(request.limit(1)).orThrow();
      Page<GroupInfo> second =
          broker.groups(request.after(Objects.requireNonNull(first.next()))).orThrow();
      // then
      assertThat(second.next()).isNull();
      assertThat(Stream.concat(first.items().stream(), second.items().stream()))
          .containsExactlyInAnyOrderElementsOf(broker.groups(request).orThrow().items());
    }
  }

  private List<String> names(GroupsRequest request) {
    return broker.groups(request).orThrow().items().stream()
        .map(info -> info.queue() + "/" + info.group())
        .toList();
  }
}
