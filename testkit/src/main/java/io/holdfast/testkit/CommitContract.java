package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Committed.Step;
import io.holdfast.api.commit.JournalPage;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.api.queue.QueueOption;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The contract of commit: many operations, all or none, and harmless to repeat. */
abstract class CommitContract extends ContractFixture {
  CommitContract(BrokerContract implementation) {
    super(implementation);
  }

  @Test
  void shouldDoEverythingAcrossQueues() {
    // given
    push("a");
    UUID doomed = push("timers", "doomed");
    Delivery held = popOne();
    // when
    Committed committed =
        commit(
            settle(held),
            pushing(message("next", "b")),
            new Operation.CancelMessage(MessageRef.id(doomed)),
            append("history", 0, "e1", "e2"),
            put("status", 0, "done"));
    // then
    assertThat(committed.steps()).hasSize(5);
    assertThat(committed.steps().get(0))
        .isInstanceOfSatisfying(
            Step.MessageSettled.class, step -> assertStatus(step.verdict(), Status.ACKED));
    assertThat(committed.steps().get(1))
        .isInstanceOfSatisfying(
            Step.MessagePushed.class, step -> assertThat(step.message().duplicate()).isFalse());
    assertThat(committed.steps().get(2)).isEqualTo(new Step.MessageCancelled(true));
    assertThat(committed.steps().get(3)).isEqualTo(new Step.JournalAppended(2));
    assertThat(committed.steps().get(4)).isInstanceOf(Step.RecordPut.class);
    restart();
    assertNothingToPop();
    assertThat(payload(popOne(PopRequest.queue("next")))).isEqualTo("b");
    assertThat(pop(PopRequest.queue("timers")).messages()).isEmpty();
    assertThat(events("history")).containsExactly("e1", "e2");
    assertThat(value("status")).isEqualTo("done");
  }

  @Test
  void shouldFailAsAWholeForAStaleLease() {
    // given
    push("a");
    Delivery stale = popOne(one().leaseMs(1_000));
    advanceSeconds(1);
    Delivery live = popOneSoon();
    // then
    assertRefusedWhole(
        ErrorCode.STALE_LEASE,
        1,
        append("history", 0, "e1"),
        settle(stale),
        pushing(message("next", "b")));
    assertThat(events("history")).isEmpty();
    assertThat(pop(PopRequest.queue("next")).messages()).isEmpty();
    assertStatus(ack(live), Status.ACKED);
  }

  @Test
  void shouldFailAsAWholeForASettleThatWasDone() {
    // given
    push("a");
    Delivery held = popOne();
    ack(held);
    // then
    assertRefusedWhole(ErrorCode.ALREADY_SETTLED, 1, put("k", 0, "v"), settle(held));
    assertThat(value("k")).isEmpty();
  }

  @Test
  void shouldFailAsAWholeForADuplicate() {
    // given
    push(named("t1"));
    // then
    assertRefusedWhole(
        ErrorCode.DUPLICATE, 1, pushing(message("new")), pushing(named("t1")), put("k", 0, "v"));
    assertThat(payloads(popAll())).containsExactly("t1");
    assertThat(value("k")).isEmpty();
  }

  @Test
  void shouldTakeADuplicateForSuccessIfAskedTo() {
    // given
    UUID id = push(named("t1")).id();
    // when
    Committed committed =
        commit(new Operation.PushMessage(named("t1"), true), pushing(message("new")));
    // then
    assertThat(committed.steps().getFirst())
        .isInstanceOfSatisfying(
            Step.MessagePushed.class,
            step -> {
              assertThat(step.message().duplicate()).isTrue();
              assertThat(step.message().id()).isEqualTo(id);
            });
    assertThat(payloads(popAll())).containsExactly("t1", "new");
  }

  @Test
  void shouldTellOfEachOfManyPushesToOneLane() {
    // given
    UUID known = push(named("t2")).id();
    // when
    Committed committed =
        commit(
            new Operation.PushMessage(named("t1"), true),
            new Operation.PushMessage(named("t2"), true),
            new Operation.PushMessage(message("plain"), true),
            new Operation.PushMessage(named("t1"), true),
            new Operation.PushMessage(message("last").delayMs(1_000), true),
            new Operation.PushMessage(named("t3"), true));
    // then
    List<PushedMessage> pushed =
        committed.steps().stream().map(step -> ((Step.MessagePushed) step).message()).toList();
    assertThat(pushed)
        .extracting(PushedMessage::duplicate)
        .containsExactly(false, true, false, true, false, false);
    assertThat(pushed.get(1).id()).isEqualTo(known);
    assertThat(pushed.get(3).id()).isEqualTo(pushed.get(0).id());
    restart();
    assertThat(broker.message(MessageRef.id(pushed.get(2).id())).orThrow().message().payload())
        .isEqualTo(bytes("plain"));
    Popped popped = popAll();
    assertThat(payloads(popped)).containsExactly("t2", "t1", "plain", "t3");
    assertThat(popped.messages().get(3).message().id()).isEqualTo(pushed.get(5).id());
    // and each is settled by itself
    ack(popped.messages().get(2));
    settle(Settle.releaseAll(popped.leaseId()));
    assertThat(payloads(popAll())).containsExactly("t2", "t1", "t3");
  }

  @Test
  void shouldNameTheOneOfManyPushesThatIsRefused() {
    // given
    push(named("t1"));
    configure(QueueOption.MAX_SIZE, 3);
    // then
    assertRefusedWhole(
        ErrorCode.DUPLICATE,
        3,
        put("k", 0, "v"),
        pushing(message("a")),
        pushing(named("t2")),
        pushing(named("t2")));
    assertRefusedWhole(
        ErrorCode.FULL,
        3,
        put("k", 0, "v"),
        pushing(message("a")),
        pushing(message("b")),
        pushing(message("c")));
    assertThat(payloads(popAll())).containsExactly("t1");
  }

  @Test
  void shouldFailAsAWholeForAWrongJournalPosition() {
    // given
    commit(append("history", 0, "e1"));
    // then
    assertRefusedWhole(
        ErrorCode.WRONG_POSITION, 1, pushing(message("a")), append("history", 0, "e2"));
    assertRefusedWhole(ErrorCode.WRONG_POSITION, 0, append("history", 2, "e3"));
    assertRefusedWhole(ErrorCode.WRONG_POSITION, 0, append("new", 1, "e1"));
    assertThat(events("history")).containsExactly("e1");
    assertNothingToPop();
  }

  @Test
  void shouldReadAJournalFromAnyPosition() {
    // given
    commit(append("history", 0, "e0", "e1", "e2"));
    commit(append("history", 3, "e3"));
    commit(append("history", 4, "e4", "e5"));
    restart();
    // then
    List<String> all = List.of("e0", "e1", "e2", "e3", "e4", "e5");
    for (int from = 0; from <= all.size(); from++) {
      for (int limit = 1; limit <= all.size(); limit++) {
        JournalPage page = broker.journal(new JournalRequest("history", from, limit)).orThrow();
        assertThat(page.events().stream().map(ContractFixture::text))
            .as("%s events from %s", limit, from)
            .containsExactlyElementsOf(all.subList(from, Math.min(all.size(), from + limit)));
        assertThat(page.length()).isEqualTo(all.size());
      }
    }
    // and a journal with a longer name is another one
    commit(append("history2", 0, "other"));
    commit(new Operation.DeleteJournal("history"), append("history", 0, "new"));
    assertThat(events("history")).containsExactly("new");
    assertThat(events("history2")).containsExactly("other");
  }

  @Test
  void shouldKeepLargeEventsThatAreAppendedTogether() {
    // given
    String large = "x".repeat(50_000);
    // when
    commit(append("history", 0, large + 0, large + 1, "small", large + 2, ""));
    // then
    assertThat(events("history")).containsExactly(large + 0, large + 1, "small", large + 2, "");
    assertThat(
            broker.journal(new JournalRequest("history", 2, 2)).orThrow().events().stream()
                .map(ContractFixture::text))
        .containsExactly("small", large + 2);
    commit(new Operation.DeleteJournal("history"));
    assertThat(events("history")).isEmpty();
  }

  @Test
  void shouldFailAsAWholeForAWrongRecordVersion() {
    // given
    long version = version(commit(put("k", 0, "v1")));
    // then
    assertRefusedWhole(ErrorCode.WRONG_VERSION, 1, pushing(message("a")), put("k", 0, "v2"));
    assertRefusedWhole(ErrorCode.WRONG_VERSION, 0, put("k", version + 1, "v2"));
    assertRefusedWhole(ErrorCode.WRONG_VERSION, 0, put("none", 5, "v"));
    assertRefusedWhole(ErrorCode.WRONG_VERSION, 0, new Operation.DeleteRecord("k", version + 1));
    assertThat(value("k")).isEqualTo("v1");
    assertNothingToPop();
  }

  @Test
  void shouldFailAsAWholeForAFullQueue() {
    // given
    configure(QueueOption.MAX_SIZE, 1);
    push("a");
    // then
    assertRefusedWhole(ErrorCode.FULL, 1, put("k", 0, "v"), pushing(message("b")));
    assertThat(value("k")).isEmpty();
  }

  @Test
  void shouldMakeRoomByItsEarlierOperations() {
    // given
    configure(QueueOption.MAX_SIZE, 1);
    push("a");
    Delivery held = popOne();
    // when
    commit(settle(held), pushing(message("b")));
    // then
    assertThat(payloads(popAll())).containsExactly("b");
  }

  @Test
  void shouldFailAsAWholeForALargePayload() {
    assertRefusedWhole(
        ErrorCode.TOO_LARGE,
        1,
        pushing(message("a")),
        pushing(message("x".repeat(PAYLOAD_BYTES_MAX + 1))));
    assertNothingToPop();
  }

  @Test
  void shouldLetEachOperationSeeTheEarlierOnes() {
    // when
    commit(
        append("history", 0, "e1", "e2"),
        append("history", 2, "e3"),
        put("k", 0, "v1"),
        new Operation.DeleteRecord("k", Operation.ANY_VERSION),
        put("k", 0, "v2"),
        pushing(named("t1")),
        new Operation.CancelMessage(MessageRef.named(QUEUE, PARTITION, "t1")),
        append("gone", 0, "x"),
        new Operation.DeleteJournal("gone"),
        append("gone", 0, "y"));
    // then
    assertThat(events("history")).containsExactly("e1", "e2", "e3");
    assertThat(value("k")).isEqualTo("v2");
    assertThat(events("gone")).containsExactly("y");
    assertNothingToPop();
  }

  @Test
  void shouldFailForWhatAnEarlierOperationDid() {
    // given
    push("a");
    Delivery held = popOne();
    // then
    assertRefusedWhole(ErrorCode.DUPLICATE, 1, pushing(named("t1")), pushing(named("t1")));
    assertRefusedWhole(ErrorCode.WRONG_POSITION, 1, append("j", 0, "e"), append("j", 0, "e"));
    assertRefusedWhole(ErrorCode.WRONG_VERSION, 1, put("k", 0, "v"), put("k", 0, "v"));
    assertRefusedWhole(ErrorCode.ALREADY_SETTLED, 1, settle(held), settle(held));
    assertStatus(ack(held), Status.ACKED);
    assertNothingToPop();
  }

  @Test
  void shouldSettleInEveryWay() {
    // given
    pushAll("ack", "nack", "release", "kill");
    List<Delivery> held = popAll().messages();
    // when
    Committed committed =
        commit(
            settle(held.get(0)),
            new Operation.SettleMessage(Settle.nack(held.get(1).handle(), "no").delayMs(0)),
            new Operation.SettleMessage(Settle.release(held.get(2).handle())),
            new Operation.SettleMessage(Settle.kill(held.get(3).handle(), "poison")));
    // then
    assertThat(
            committed.steps().stream().map(step -> ((Step.MessageSettled) step).verdict().status()))
        .containsExactly(Status.ACKED, Status.RETRYING, Status.RELEASED, Status.DEAD);
    assertThat(payloads(popAll())).containsExactly("nack", "release");
    assertThat(deadLetters().total()).isEqualTo(1);
  }

  @Test
  void shouldTakeWhatIsNotThereForSuccessWhenItRemoves() {
    // when
    Committed committed =
        commit(
            new Operation.CancelMessage(MessageRef.id(UUID.randomUUID())),
            new Operation.CancelMessage(MessageRef.named("no-such", "p", "t")),
            new Operation.DeleteJournal("no-such"),
            new Operation.DeleteRecord("no-such", Operation.ANY_VERSION));
    // then
    assertThat(committed.steps())
        .containsExactly(
            new Step.MessageCancelled(false),
            new Step.MessageCancelled(false),
            new Step.JournalDeleted(false),
            new Step.RecordDeleted(false));
  }

  @Test
  void shouldFreeTheNameOfASettledMessage() {
    // given
    push(named("t1"));
    assertStatus(ack(popOne()), Status.ACKED);
    // when
    Committed committed =
        commit(
            new Operation.CancelMessage(MessageRef.named(QUEUE, PARTITION, "t1")),
            pushing(named("t1")));
    // then
    assertThat(committed.steps().getFirst()).isEqualTo(new Step.MessageCancelled(false));
    assertThat(committed.steps().getLast())
        .isInstanceOfSatisfying(
            Step.MessagePushed.class, step -> assertThat(step.message().duplicate()).isFalse());
    assertThat(payload(popOne())).isEqualTo("t1");
  }

  @Test
  void shouldAnswerARepeatWithTheFirstResult() {
    // given
    push("a");
    Delivery held = popOne();
    CommitRequest request =
        CommitRequest.of(
                settle(held), pushing(message("b")), append("history", 0, "e1"), put("k", 0, "v"))
            .requestId("r1");
    Committed first = broker.commit(request).orThrow();
    // when
    Committed second = broker.commit(request).orThrow();
    restart();
    Committed third = broker.commit(request).orThrow();
    // then
    assertThat(second).isEqualTo(first);
    assertThat(third).isEqualTo(first);
    assertThat(payloads(popAll())).containsExactly("b");
    assertThat(events("history")).containsExactly("e1");
  }

  @Test
  void shouldLetARefusedCommitBeRepeated() {
    // given
    CommitRequest request = CommitRequest.of(append("j", 1, "e2")).requestId("r1");
    assertRefused(broker.commit(request), ErrorCode.WRONG_POSITION);
    commit(append("j", 0, "e1"));
    // when
    broker.commit(request).orThrow();
    // then
    assertThat(events("j")).containsExactly("e1", "e2");
  }

  @Test
  void shouldCarryAWholeTurnOfAWorkflow() {
    // given: an instance with a timer under way and two messages in its partition
    String flows = "flows";
    push(message(flows, "wake up").partition("i1").transactionId("timer-1").delayMs(60_000));
    push(message(flows, "start").partition("i1").transactionId("start-1"));
    push(message(flows, "event").partition("i1"));
    push(message(flows, "start").partition("i2"));
    commit(append("i1", 0, "created"));
    Popped turn = pop(PopRequest.partition(flows, "i1").batch(100).worker("w1"));
    assertThat(payloads(turn)).containsExactly("start", "event");
    // when: the turn is committed, its answer is lost, and it is sent again
    CommitRequest request =
        CommitRequest.of(
                new Operation.SettleMessage(Settle.ackAll(turn.leaseId())),
                append("i1", 1, "started", "scheduled"),
                pushing(message("activities", "charge").transactionId("i1-1")),
                pushing(
                    message(flows, "timeout")
                        .partition("i1")
                        .transactionId("timer-2")
                        .delayMs(30_000)),
                new Operation.CancelMessage(MessageRef.named(flows, "i1", "timer-1")),
                put("i1/status", 0, "running"))
            .requestId("turn-" + turn.leaseId());
    Committed first = broker.commit(request).orThrow();
    restart();
    Committed second = broker.commit(request).orThrow();
    // then: everything happened, once
    assertThat(second).isEqualTo(first);
    assertThat(events("i1")).containsExactly("created", "started", "scheduled");
    assertThat(value("i1/status")).isEqualTo("running");
    assertThat(payloads(pop(PopRequest.queue("activities").batch(10)))).containsExactly("charge");
    assertThat(pop(PopRequest.partition(flows, "i1")).messages()).isEmpty();
    assertThat(stats().delayed()).isEqualTo(1);
    // when
    advanceSeconds(60);
    // then
    assertThat(payloads(popSoon(PopRequest.partition(flows, "i1").batch(10))))
        .containsExactly("timeout");
  }

  @Test
  void shouldAbandonATurnWhoseHistoryMovedOn() {
    // given
    push("a");
    Popped turn = popAll();
    commit(append("history", 0, "somebody else"));
    // then
    assertRefusedWhole(
        ErrorCode.WRONG_POSITION,
        1,
        new Operation.SettleMessage(Settle.ackAll(turn.leaseId())),
        append("history", 0, "mine"));
    assertStatus(settle(Settle.releaseAll(turn.leaseId())), Status.RELEASED);
    assertThat(payloads(popAll())).containsExactly("a");
  }

  private Committed commit(Operation... operations) {
    return broker.commit(CommitRequest.of(operations)).orThrow();
  }

  private void assertRefusedWhole(ErrorCode code, int operation, Operation... operations) {
    Result<Committed> result = broker.commit(CommitRequest.of(operations));
    assertRefused(result, code);
    assertThat(result.refusal().operation()).isEqualTo(operation);
  }

  private static Operation settle(Delivery delivery) {
    return new Operation.SettleMessage(Settle.ack(delivery.handle()));
  }

  private static Operation pushing(NewMessage message) {
    return new Operation.PushMessage(message, false);
  }

  private static Operation append(String journal, long position, String... events) {
    return new Operation.AppendJournal(
        journal, position, Stream.of(events).map(ContractFixture::bytes).toList());
  }

  private static Operation put(String key, long version, String value) {
    return new Operation.PutRecord(key, version, bytes(value));
  }

  private static long version(Committed committed) {
    return ((Step.RecordPut) committed.steps().getFirst()).version();
  }

  private List<String> events(String journal) {
    return broker.journal(new JournalRequest(journal, 0, 100)).orThrow().events().stream()
        .map(ContractFixture::text)
        .toList();
  }

  private String value(String key) {
    return text(broker.record(RecordRequest.of(key)).orThrow().value());
  }
}
