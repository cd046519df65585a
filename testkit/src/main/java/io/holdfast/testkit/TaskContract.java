package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Page;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.Settle.Outcome;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.task.StartRequest;
import io.holdfast.api.task.TaskInfo;
import io.holdfast.api.task.TaskStatus;
import io.holdfast.api.task.TasksRequest;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of tasks: a tracked message has a life that can be asked for. */
abstract class TaskContract extends ContractFixture {
  TaskContract(BrokerContract implementation) {
    super(implementation);
  }

  @BeforeEach
  void track() {
    configure(QueueOption.TRACK, true);
  }

  @Test
  void shouldFollowATaskFromItsPublishToItsEnd() {
    // given
    long published = now();
    UUID id = push(named("t1")).id();
    // then
    TaskInfo queued = task(id);
    assertThat(queued.id()).isEqualTo(id);
    assertThat(queued.queue()).isEqualTo(QUEUE);
    assertThat(queued.partition()).isEqualTo(PARTITION);
    assertThat(queued.transactionId()).isEqualTo("t1");
    assertThat(queued.status()).isEqualTo(TaskStatus.QUEUED);
    assertThat(queued.publishedMs()).isEqualTo(published);
    assertThat(queued.receivedMs()).isZero();
    assertThat(queued.attempts()).isZero();
    // when
    advanceSeconds(1);
    Delivery held = popOne(one().worker("w1"));
    // then
    TaskInfo received = task(id);
    assertThat(received.status()).isEqualTo(TaskStatus.RECEIVED);
    assertThat(received.receivedMs()).isEqualTo(now());
    assertThat(received.startedMs()).isZero();
    assertThat(received.worker()).isEqualTo("w1");
    assertThat(received.attempts()).isEqualTo(1);
    // when
    advanceSeconds(1);
    TaskInfo running = broker.start(new StartRequest(held.handle(), "w1")).orThrow();
    // then
    assertThat(running.status()).isEqualTo(TaskStatus.RUNNING);
    assertThat(running.startedMs()).isEqualTo(now());
    assertThat(running.endedMs()).isZero();
    // when
    advanceSeconds(1);
    ack(held);
    // then
    TaskInfo complete = task(id);
    assertThat(complete.status()).isEqualTo(TaskStatus.COMPLETE);
    assertThat(complete.publishedMs()).isEqualTo(published);
    assertThat(complete.receivedMs()).isEqualTo(published + 1_000);
    assertThat(complete.startedMs()).isEqualTo(published + 2_000);
    assertThat(complete.endedMs()).isEqualTo(published + 3_000);
  }

  @Test
  void shouldFollowATaskThatFailsAndIsRetried() {
    // given
    UUID id = push("a");
    // when
    nack(popOne(one().worker("w1")), "disk full");
    // then
    TaskInfo failed = task(id);
    assertThat(failed.status()).isEqualTo(TaskStatus.FAILED);
    assertThat(failed.error()).isEqualTo("disk full");
    // when
    advanceSeconds(1);
    Delivery again = popSoon(one().worker("w2")).messages().getFirst();
    // then
    TaskInfo received = task(id);
    assertThat(received.status()).isEqualTo(TaskStatus.RECEIVED);
    assertThat(received.attempts()).isEqualTo(2);
    assertThat(received.worker()).isEqualTo("w2");
    // when
    ack(again);
    // then
    assertThat(task(id).status()).isEqualTo(TaskStatus.COMPLETE);
  }

  @Test
  void shouldFollowATaskThatDies() {
    // given
    configure(QueueOption.RETRY_LIMIT, 0);
    UUID id = push("a");
    // when
    nack(popOne(), "poison");
    // then
    TaskInfo dead = task(id);
    assertThat(dead.status()).isEqualTo(TaskStatus.DEAD);
    assertThat(dead.error()).isEqualTo("poison");
    assertThat(dead.endedMs()).isEqualTo(now());
  }

  @Test
  void shouldFollowATaskThatIsSettledWithoutBeingStarted() {
    // given
    UUID id = push("a");
    // when
    ack(popOne());
    // then
    assertThat(task(id).status()).isEqualTo(TaskStatus.COMPLETE);
  }

  @Test
  void shouldKeepTasksOverARestart() {
    // given
    UUID id = push("a");
    Delivery held = popOne();
    broker.start(new StartRequest(held.handle(), "w1")).orThrow();
    // when
    restart();
    // then
    assertThat(task(id).status()).isEqualTo(TaskStatus.RUNNING);
  }

  @Test
  void shouldHarmlesslyRepeatAStart() {
    // given
    push("a");
    Delivery held = popOne();
    long started = now();
    broker.start(new StartRequest(held.handle(), "w1")).orThrow();
    // when
    advanceSeconds(1);
    TaskInfo again = broker.start(new StartRequest(held.handle(), "w1")).orThrow();
    // then
    assertThat(again.status()).isEqualTo(TaskStatus.RUNNING);
    assertThat(again.startedMs()).isEqualTo(started);
  }

  @Test
  void shouldNotStartWhatIsNotHeld() {
    // given
    UUID id = push("a");
    Delivery held = popOne(one().leaseMs(1_000));
    advanceSeconds(1);
    eventuallyNoLeases();
    // then
    assertRefused(broker.start(new StartRequest(held.handle(), null)), ErrorCode.STALE_LEASE);
    assertThat(task(id).status()).isNotEqualTo(TaskStatus.RUNNING);
  }

  @Test
  void shouldNotStartWhatIsOver() {
    // given
    UUID id = push("a");
    Delivery held = popOne();
    ack(held);
    // then
    assertThat(broker.start(new StartRequest(held.handle(), null)).isOk()).isFalse();
    assertThat(task(id).status()).isEqualTo(TaskStatus.COMPLETE);
  }

  @Test
  void shouldBeCompleteWhenAllGroupsAre() {
    // given
    pop(one().group("mail"));
    pop(one().group("billing"));
    UUID id = push("a");
    // when
    ack(popOne(one().group("mail")));
    // then
    TaskInfo half = task(id);
    assertThat(half.status()).isNotEqualTo(TaskStatus.COMPLETE);
    assertThat(half.groups())
        .extracting(TaskInfo.TaskGroup::group)
        .containsExactlyInAnyOrder("mail", "billing");
    assertThat(half.groups())
        .filteredOn(group -> group.group().equals("mail"))
        .extracting(TaskInfo.TaskGroup::status)
        .containsExactly(TaskStatus.COMPLETE);
    // when
    ack(popOne(one().group("billing")));
    // then
    assertThat(task(id).status()).isEqualTo(TaskStatus.COMPLETE);
    assertThat(task(id).attempts()).isEqualTo(2);
  }

  @Test
  void shouldBelongToTheFirstGroupToComeIfThereWasNone() {
    // given
    UUID id = push("a");
    // when
    ack(popOne(one().group("first")));
    // then
    assertThat(task(id).status()).isEqualTo(TaskStatus.COMPLETE);
    assertThat(task(id).groups()).extracting(TaskInfo.TaskGroup::group).containsExactly("first");
  }

  @Test
  void shouldNotBelongToGroupsThatComeLater() {
    // given
    pop(one().group("mail"));
    UUID id = push("a");
    popOne(one().group("late"));
    // when
    ack(popOne(one().group("mail")));
    // then
    assertThat(task(id).status()).isEqualTo(TaskStatus.COMPLETE);
  }

  @Test
  void shouldBeCompleteWithoutAGroupThatIsDeleted() {
    // given a task that one of two groups has done
    pop(one().group("mail"));
    pop(one().group("billing"));
    UUID id = push("a");
    ack(popOne(one().group("mail")));
    assertThat(task(id).endedMs()).isZero();
    // when
    advanceSeconds(1);
    broker.deleteGroup(QUEUE, "billing").orThrow();
    // then
    TaskInfo task = task(id);
    assertThat(task.status()).isEqualTo(TaskStatus.COMPLETE);
    assertThat(task.endedMs()).isEqualTo(now());
    assertThat(task.groups()).extracting(TaskInfo.TaskGroup::group).containsExactly("mail");
    assertThat(tasks(TaskStatus.COMPLETE)).containsExactly(id);
    restart();
    assertThat(task(id).status()).isEqualTo(TaskStatus.COMPLETE);
  }

  @Test
  void shouldEndWithTheGroupsThatAreLeft() {
    // given a task that a group holds, and one that is dead for it
    configure(QueueOption.RETRY_LIMIT, 0);
    pop(one().group("mail"));
    pop(one().group("billing"));
    List<UUID> ids = pushAll("dead", "held");
    nack(popOne(one().group("billing")), "poison");
    popOne(one().group("billing"));
    // when
    broker.deleteGroup(QUEUE, "billing").orThrow();
    // then
    assertThat(tasks(TaskStatus.QUEUED)).containsExactlyElementsOf(ids);
    // when
    ack(popOne(one().group("mail")));
    ack(popOne(one().group("mail")));
    // then
    assertThat(tasks(TaskStatus.COMPLETE)).containsExactlyElementsOf(ids);
  }

  @Test
  void shouldStayAsItEndedWhenItsGroupsAreDeleted() {
    // given
    configure(QueueOption.RETRY_LIMIT, 0);
    pop(one().group("mail"));
    List<UUID> ids = pushAll("done", "dead");
    ack(popOne(one().group("mail")));
    nack(popOne(one().group("mail")), "poison");
    long ended = now();
    // when
    advanceSeconds(1);
    broker.deleteGroup(QUEUE, "mail").orThrow();
    // then
    TaskInfo done = task(ids.getFirst());
    assertThat(done.status()).isEqualTo(TaskStatus.COMPLETE);
    assertThat(done.endedMs()).isEqualTo(ended);
    assertThat(done.groups()).isEmpty();
    assertThat(task(ids.getLast()).status()).isEqualTo(TaskStatus.DEAD);
  }

  @Test
  void shouldBeForTheNextGroupToComeWhenItsOnlyOneIsDeleted() {
    // given
    pop(one().group("mail"));
    UUID id = push("a");
    Delivery held = popOne(one().group("mail"));
    broker.start(new StartRequest(held.handle(), "w1")).orThrow();
    // when
    broker.deleteGroup(QUEUE, "mail").orThrow();
    // then
    assertThat(task(id).status()).isEqualTo(TaskStatus.QUEUED);
    assertThat(task(id).groups()).isEmpty();
    // when
    ack(popOne(one().group("next")));
    // then
    assertThat(task(id).status()).isEqualTo(TaskStatus.COMPLETE);
    assertThat(task(id).groups()).extracting(TaskInfo.TaskGroup::group).containsExactly("next");
  }

  @Test
  void shouldBeForgottenSomeTimeAfterAGroupWasDeleted() {
    // given a task that is over because a group was deleted
    configure(QueueOption.COMPLETED_RETENTION, 60);
    pop(one().group("mail"));
    pop(one().group("billing"));
    UUID id = push("a");
    ack(popOne(one().group("mail")));
    advanceSeconds(100);
    broker.deleteGroup(QUEUE, "billing").orThrow();
    // when
    advanceSeconds(59);
    // then
    assertThat(task(id).status()).isEqualTo(TaskStatus.COMPLETE);
    // when
    advanceSeconds(2);
    // then
    eventually(() -> assertRefused(broker.task(MessageRef.id(id)), ErrorCode.NOT_FOUND));
  }

  @Test
  void shouldBeFoundByName() {
    // given
    UUID id = push(named("t1")).id();
    // then
    assertThat(broker.task(MessageRef.named(QUEUE, PARTITION, "t1")).orThrow().id()).isEqualTo(id);
  }

  @Test
  void shouldBeListedOldestFirstAndByStatus() {
    // given
    List<UUID> ids = pushAll("a", "b", "c");
    ack(popOne());
    // then
    assertThat(tasks(null)).containsExactlyElementsOf(ids);
    assertThat(tasks(TaskStatus.COMPLETE)).containsExactly(ids.get(0));
    assertThat(tasks(TaskStatus.QUEUED)).containsExactly(ids.get(1), ids.get(2));
    assertThat(tasks(TaskStatus.DEAD)).isEmpty();
  }

  @Test
  void shouldBeListedByPage() {
    // given
    List<UUID> ids = pushAll("a", "b", "c");
    // when
    Page<TaskInfo> first = broker.tasks(new TasksRequest(QUEUE, null, null, 2)).orThrow();
    Page<TaskInfo> second = broker.tasks(new TasksRequest(QUEUE, null, first.next(), 2)).orThrow();
    // then
    assertThat(first.items()).extracting(TaskInfo::id).containsExactly(ids.get(0), ids.get(1));
    assertThat(second.items()).extracting(TaskInfo::id).containsExactly(ids.get(2));
    assertThat(second.next()).isNull();
  }

  @Test
  void shouldBeForgottenSomeTimeAfterItsEnd() {
    // given
    configure(QueueOption.COMPLETED_RETENTION, 60);
    UUID id = push("a");
    advanceSeconds(50);
    ack(popOne());
    // when
    advanceSeconds(59);
    // then
    assertThat(task(id).status()).isEqualTo(TaskStatus.COMPLETE);
    // when
    advanceSeconds(2);
    // then
    eventually(() -> assertRefused(broker.task(MessageRef.id(id)), ErrorCode.NOT_FOUND));
  }

  @Test
  void shouldNotExistWhereTheQueueDoesNotTrack() {
    // given
    UUID id = push("untracked", "a");
    // then
    assertRefused(broker.task(MessageRef.id(id)), ErrorCode.NOT_FOUND);
    Delivery held = popOne(PopRequest.queue("untracked"));
    assertThat(broker.start(new StartRequest(held.handle(), null)).isOk()).isFalse();
    assertStatus(ack(held), Status.ACKED);
  }

  @Test
  void shouldNotWaitForAGroupThatBeginsLater() {
    // given
    pop(one().group("later").start(new StartFrom.Time(now() + 10_000)));
    pop(one());
    UUID id = push(named("t1")).id();
    // when
    ack(popOne());
    // then
    assertThat(task(id).groups()).extracting(TaskInfo.TaskGroup::group).containsExactly(GROUP);
    assertThat(task(id).status()).isEqualTo(TaskStatus.COMPLETE);
  }

  @Test
  void shouldIgnoreASettleOfAnUnknownTask() {
    // when
    SettleVerdict verdict = settle(Settle.unfenced(GROUP, UUID.randomUUID(), Outcome.ACK, null));
    // then
    assertStatus(verdict, Status.NOT_FOUND);
    assertThat(stats().totals().unknownSettles()).isEqualTo(1);
  }

  private TaskInfo task(UUID id) {
    return broker.task(MessageRef.id(id)).orThrow();
  }

  private List<UUID> tasks(@Nullable TaskStatus status) {
    return broker.tasks(new TasksRequest(QUEUE, status, null, 100)).orThrow().items().stream()
        .map(TaskInfo::id)
        .toList();
  }
}
