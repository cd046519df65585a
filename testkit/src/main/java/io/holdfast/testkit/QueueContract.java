package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Page;
import io.holdfast.api.Stats;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.lease.Popped.Reason;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.queue.Affected;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.PartitionInfo;
import io.holdfast.api.queue.PartitionsRequest;
import io.holdfast.api.queue.PurgeRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.api.queue.QueuesRequest;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The contract of queues: made, configured, listed, paused, purged and deleted. */
abstract class QueueContract extends ContractFixture {
  QueueContract(BrokerContract implementation) {
    super(implementation);
  }

  @Test
  void shouldMakeAQueueWithDefaults() {
    // when
    QueueInfo info = configure(ConfigureRequest.queue(QUEUE));
    // then
    assertThat(info.name()).isEqualTo(QUEUE);
    assertThat(info.options()).isEqualTo(QueueOptions.DEFAULTS);
    assertThat(info.createdMs()).isEqualTo(now());
    assertThat(info.paused()).isFalse();
    assertThat(info.partitions()).isZero();
    assertThat(broker.queue(QUEUE).orThrow()).isEqualTo(info);
  }

  @Test
  void shouldMakeAQueueByPushing() {
    // given
    push("a");
    // then
    QueueInfo info = broker.queue(QUEUE).orThrow();
    assertThat(info.options()).isEqualTo(QueueOptions.DEFAULTS);
    assertThat(info.partitions()).isEqualTo(1);
    assertThat(info.counts().waiting()).isEqualTo(1);
  }

  @Test
  void shouldChangeOnlyTheOptionsThatAreNamed() {
    // given
    configure(QueueOption.LEASE_TIME, 10);
    // when
    QueueOptions options = configure(QueueOption.RETRY_LIMIT, 7).options();
    // then
    assertThat(options.number(QueueOption.LEASE_TIME)).isEqualTo(10);
    assertThat(options.number(QueueOption.RETRY_LIMIT)).isEqualTo(7);
    restart();
    assertThat(broker.queue(QUEUE).orThrow().options()).isEqualTo(options);
  }

  @Test
  void shouldTakeNullForTheDefault() {
    // given
    configure(QueueOption.LEASE_TIME, 10);
    // then
    assertThat(configure(QueueOption.LEASE_TIME, null).options()).isEqualTo(QueueOptions.DEFAULTS);
  }

  @Test
  void shouldResetTheOtherOptionsIfAskedTo() {
    // given
    configure(QueueOption.LEASE_TIME, 10);
    // when
    QueueInfo info =
        configure(ConfigureRequest.queue(QUEUE).set(QueueOption.RETRY_LIMIT, 7).replacing());
    // then
    assertThat(info.options()).isEqualTo(QueueOptions.DEFAULTS.with(QueueOption.RETRY_LIMIT, 7));
  }

  @Test
  void shouldKeepMessagesWhenItsOptionsChange() {
    // given
    pushAll("a", "b");
    popOne();
    // when
    makeShared();
    // then
    assertThat(payload(popOne())).isEqualTo("b");
  }

  @Test
  void shouldListQueuesByName() {
    // given
    for (String name : List.of("b1", "a2", "a1")) {
      configure(ConfigureRequest.queue(name));
    }
    configure(
        ConfigureRequest.queue("a3")
            .set(QueueOption.NAMESPACE, "shop")
            .set(QueueOption.TASK, "mail"));
    // then
    assertThat(queues(QueuesRequest.all())).containsExactly("a1", "a2", "a3", "b1");
    assertThat(queues(new QueuesRequest("a", null, null, null, 10)))
        .containsExactly("a1", "a2", "a3");
    assertThat(queues(new QueuesRequest("", "shop", null, null, 10))).containsExactly("a3");
    assertThat(queues(new QueuesRequest("", null, "mail", null, 10))).containsExactly("a3");
    assertThat(queues(new QueuesRequest("", "shop", "sms", null, 10))).isEmpty();
  }

  @Test
  void shouldListQueuesByPage() {
    // given
    for (int i = 0; i < 5; i++) {
      configure(ConfigureRequest.queue("q" + i));
    }
    // when
    Page<QueueInfo> first = broker.queues(new QueuesRequest("", null, null, null, 3)).orThrow();
    Page<QueueInfo> second =
        broker.queues(new QueuesRequest("", null, null, first.next(), 3)).orThrow();
    // then
    assertThat(first.items()).extracting(QueueInfo::name).containsExactly("q0", "q1", "q2");
    assertThat(second.items()).extracting(QueueInfo::name).containsExactly("q3", "q4");
    assertThat(second.next()).isNull();
  }

  @Test
  void shouldCountWhatIsWhere() {
    // given
    pushAll("settled", "held", "returned", "waiting");
    push(message("delayed").delayMs(5_000));
    List<Delivery> held = pop(one().batch(3)).messages();
    ack(held.get(0));
    nack(held.get(2));
    // then
    Counts counts = broker.queue(QUEUE).orThrow().counts();
    assertThat(counts.stored()).isEqualTo(4);
    assertThat(counts.waiting()).isEqualTo(1);
    assertThat(counts.inFlight()).isEqualTo(1);
    assertThat(counts.returned()).isEqualTo(1);
    assertThat(counts.delayed()).isEqualTo(1);
    assertThat(counts.bytes()).isPositive();
    restart();
    assertThat(broker.queue(QUEUE).orThrow().counts()).isEqualTo(counts);
  }

  @Test
  void shouldListPartitions() {
    // given
    push(message("a").partition("p2").lane(4));
    advanceSeconds(1);
    push(message("b").partition("p1"));
    push(message("c").partition("p3"));
    // when
    Page<PartitionInfo> first = broker.partitions(new PartitionsRequest(QUEUE, null, 2)).orThrow();
    Page<PartitionInfo> second =
        broker.partitions(new PartitionsRequest(QUEUE, first.next(), 2)).orThrow();
    // then
    assertThat(first.items()).extracting(PartitionInfo::name).containsExactly("p1", "p2");
    assertThat(second.items()).extracting(PartitionInfo::name).containsExactly("p3");
    PartitionInfo info = first.items().get(1);
    assertThat(info.queue()).isEqualTo(QUEUE);
    assertThat(info.lastPushMs()).isEqualTo(now() - 1_000);
    assertThat(info.lanes()).extracting(PartitionInfo.LaneInfo::lane).containsExactly(4);
    assertThat(info.counts().waiting()).isEqualTo(1);
  }

  @Test
  void shouldCountAPartitionAsOneGroupSeesIt() {
    // given
    pushAll("a", "b", "c");
    pop(one().batch(2));
    pop(one().group("other"));
    // when
    PartitionsRequest all = new PartitionsRequest(QUEUE, null, 10);
    PartitionInfo mine = broker.partitions(all.asSeenBy(GROUP)).orThrow().items().getFirst();
    PartitionInfo others = broker.partitions(all.asSeenBy("other")).orThrow().items().getFirst();
    // then
    assertThat(mine.counts().waiting()).isEqualTo(1);
    assertThat(mine.counts().inFlight()).isEqualTo(2);
    assertThat(others.counts().waiting()).isEqualTo(2);
    assertThat(others.counts().inFlight()).isEqualTo(1);
    assertRefused(broker.partitions(all.asSeenBy("nobody")), ErrorCode.NOT_FOUND);
  }

  @Test
  void shouldPauseDeliveriesAndNothingElse() {
    // given
    pushAll("a", "b");
    Delivery held = popOne();
    // when
    assertThat(broker.pause(QUEUE, true).orThrow().paused()).isTrue();
    // then
    assertStatus(ack(held), Status.ACKED);
    push("c");
    assertThat(pop(one()).reason()).isEqualTo(Reason.PAUSED);
    restart();
    assertThat(pop(one()).reason()).isEqualTo(Reason.PAUSED);
    // when
    assertThat(broker.pause(QUEUE, false).orThrow().paused()).isFalse();
    // then
    assertThat(payloads(popAll())).containsExactly("b", "c");
  }

  @Test
  void shouldPassOverAPausedQueueOfANamespace() {
    // given
    for (String queue : List.of("q1", "q2")) {
      configure(
          ConfigureRequest.queue(queue)
              .set(QueueOption.NAMESPACE, "shop")
              .set(QueueOption.PRIORITY, queue.equals("q1") ? 9 : 0));
      push(queue, queue);
    }
    broker.pause("q1", true).orThrow();
    // then
    assertThat(payload(popOne(PopRequest.of(new PopSource.Tagged("shop", null))))).isEqualTo("q2");
  }

  @Test
  void shouldPurgeEverythingButDeadLetters() {
    // given
    pushAll("dead", "held", "returned", "waiting");
    push(message("delayed").delayMs(5_000));
    List<Delivery> held = pop(one().batch(3)).messages();
    kill(held.get(0), "poison");
    nack(held.get(2));
    // when
    Affected affected = broker.purge(new PurgeRequest(QUEUE, null)).orThrow();
    // then
    assertThat(affected.count()).isPositive();
    assertNotApplied(ack(held.get(1)));
    advanceSeconds(60);
    restart();
    assertNothingToPop();
    assertThat(deadLetters().total()).isEqualTo(1);
    assertThat(stats().leases()).isZero();
    assertThat(stats().delayed()).isZero();
    push("after");
    assertThat(payloads(popAll())).containsExactly("after");
  }

  @Test
  void shouldPurgeOnePartition() {
    // given
    pushAll(message("a").partition("p1"), message("b").partition("p2"));
    // when
    Affected affected = broker.purge(new PurgeRequest(QUEUE, "p1")).orThrow();
    // then
    assertThat(affected.count()).isEqualTo(1);
    assertThat(payloads(popAll())).containsExactly("b");
  }

  @Test
  void shouldDeleteAQueueWithAllItHolds() {
    // given
    configure(QueueOption.LEASE_TIME, 10);
    UUID id = push("dead");
    kill(popOne(), "poison");
    pushAll("held", "waiting");
    push(message("delayed").delayMs(5_000));
    Delivery held = popOne();
    // when
    broker.deleteQueue(QUEUE).orThrow();
    // then
    assertRefused(broker.queue(QUEUE), ErrorCode.NOT_FOUND);
    assertNotApplied(ack(held));
    assertRefused(broker.message(MessageRef.id(id)), ErrorCode.NOT_FOUND);
    restart();
    assertThat(queues(QueuesRequest.all())).isEmpty();
    // when: a queue of the same name is made
    push("new");
    advanceSeconds(60);
    // then: it has nothing of the old one
    assertThat(payloads(popAll())).containsExactly("new");
    assertThat(deadLetters().total()).isZero();
    assertThat(broker.queue(QUEUE).orThrow().options()).isEqualTo(QueueOptions.DEFAULTS);
  }

  @Test
  void shouldRefuseQueuesThatAreNotThere() {
    assertRefused(broker.queue("no-such"), ErrorCode.NOT_FOUND);
    assertRefused(
        broker.partitions(new PartitionsRequest("no-such", null, 10)), ErrorCode.NOT_FOUND);
    assertRefused(broker.pause("no-such", true), ErrorCode.NOT_FOUND);
    assertRefused(broker.purge(new PurgeRequest("no-such", null)), ErrorCode.NOT_FOUND);
    assertRefused(broker.deleteQueue("no-such"), ErrorCode.NOT_FOUND);
  }

  @Test
  void shouldCountWhatHappened() {
    // given
    long opened = now();
    advanceSeconds(1);
    pushAll("a", "b", "c");
    List<Delivery> held = popAll().messages();
    ack(held.get(0));
    nack(held.get(1));
    release(held.get(2));
    // then
    Stats stats = stats();
    assertThat(stats.durability()).isIn("fsync", "os");
    assertThat(stats.openedMs()).isEqualTo(opened);
    assertThat(stats.nowMs()).isEqualTo(now());
    assertThat(stats.queues()).isEqualTo(1);
    assertThat(stats.partitions()).isEqualTo(1);
    assertThat(stats.groups()).isEqualTo(1);
    assertThat(stats.totals().pushed()).isEqualTo(3);
    assertThat(stats.totals().delivered()).isEqualTo(3);
    assertThat(stats.totals().acked()).isEqualTo(1);
    assertThat(stats.totals().nacked()).isEqualTo(1);
    assertThat(stats.totals().released()).isEqualTo(1);
  }

  private List<String> queues(QueuesRequest request) {
    return broker.queues(request).orThrow().items().stream().map(QueueInfo::name).toList();
  }
}
