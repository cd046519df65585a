package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.dead.DeadErrors;
import io.holdfast.api.dead.DeadErrorsRequest;
import io.holdfast.api.dead.DeadLetter;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLetters;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.message.Attempt;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.queue.Affected;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The contract of dead letters: kept whole, found, delivered again, removed. */
abstract class DeadLetterContract extends ContractFixture {
  private static final DeadLetterFilter ALL = DeadLetterFilter.queue(QUEUE);

  DeadLetterContract(BrokerContract implementation) {
    super(implementation);
  }

  @Test
  void shouldKeepTheMessageWholeWithItsFailedAttempts() {
    // given
    configure(QueueOption.RETRY_LIMIT, 1);
    UUID id = push(message("a").partition("p1").transactionId("t1").headers(Map.of("k", "v"))).id();
    // when
    nack(popOne(one().worker("w1")), "first");
    advanceSeconds(1);
    nack(popSoon(one().worker("w2")).messages().getFirst(), "second");
    // then
    assertThat(deadLetters().total()).isEqualTo(1);
    DeadLetter dead = deadLetters().items().getFirst();
    assertThat(dead.message().id()).isEqualTo(id);
    assertThat(text(dead.message().payload())).isEqualTo("a");
    assertThat(dead.message().queue()).isEqualTo(QUEUE);
    assertThat(dead.message().partition()).isEqualTo("p1");
    assertThat(dead.message().transactionId()).isEqualTo("t1");
    assertThat(dead.message().headers()).containsOnly(Map.entry("k", "v"));
    assertThat(dead.group()).isEqualTo(GROUP);
    assertThat(dead.error()).isEqualTo("second");
    assertThat(dead.diedMs()).isEqualTo(now());
    assertThat(dead.failures()).isEqualTo(2);
    assertThat(dead.attempts()).extracting(Attempt::number).containsExactly(1, 2);
    assertThat(dead.attempts()).extracting(Attempt::worker).containsExactly("w1", "w2");
    assertThat(dead.attempts()).extracting(Attempt::error).containsExactly("first", "second");
    assertThat(dead.attempts()).extracting(Attempt::cause).containsOnly(Attempt.Cause.NACKED);
  }

  @Test
  void shouldKeepThemOverARestart() {
    // given
    bury("a", "poison");
    // when
    restart();
    // then
    assertThat(deadPayloads(ALL)).containsExactly("a");
  }

  @Test
  void shouldListTheOldestDeathFirst() {
    // given
    bury("a", "x");
    bury("b", "x");
    bury("c", "x");
    // then
    assertThat(deadPayloads(ALL)).containsExactly("a", "b", "c");
  }

  @Test
  void shouldListThemByPage() {
    // given
    bury("a", "x");
    bury("b", "x");
    bury("c", "x");
    // when
    DeadLetters first = broker.deadLetters(new DeadLettersRequest(ALL, null, 2)).orThrow();
    DeadLetters second = broker.deadLetters(new DeadLettersRequest(ALL, first.next(), 2)).orThrow();
    // then
    assertThat(first.total()).isEqualTo(3);
    assertThat(first.items()).hasSize(2);
    assertThat(first.next()).isNotNull();
    assertThat(second.items()).hasSize(1);
    assertThat(text(second.items().getFirst().message().payload())).isEqualTo("c");
    assertThat(second.next()).isNull();
  }

  @Test
  void shouldEndAPageOfLargeOnesEarly() {
    // given
    String large = "x".repeat(900_000);
    for (int i = 0; i < 6; i++) {
      bury(large, "x");
    }
    // when
    DeadLetters first = broker.deadLetters(new DeadLettersRequest(ALL, null, 100)).orThrow();
    DeadLetters second =
        broker.deadLetters(new DeadLettersRequest(ALL, first.next(), 100)).orThrow();
    // then
    assertThat(first.items()).hasSizeBetween(1, 5);
    assertThat(first.total()).isEqualTo(6);
    assertThat(first.items().size() + second.items().size()).isEqualTo(6);
    assertThat(second.next()).isNull();
  }

  @Test
  void shouldFindThemByFilter() {
    // given
    UUID a = bury(message("a").partition("p1"), GROUP, "timeout of 3 s");
    advanceSeconds(10);
    bury(message("b").partition("p2"), GROUP, "parse error");
    // then
    assertThat(deadPayloads(ALL.partition("p2"))).containsExactly("b");
    assertThat(deadPayloads(ALL.message(a))).containsExactly("a");
    assertThat(deadPayloads(ALL.errorContains("timeout"))).containsExactly("a");
    assertThat(deadPayloads(ALL.died(now(), now() + 1))).containsExactly("b");
    assertThat(deadPayloads(ALL.died(0, now()))).containsExactly("a");
    assertThat(deadPayloads(ALL.group(GROUP))).containsExactly("a", "b");
    assertThat(deadPayloads(ALL.group("other"))).isEmpty();
    assertThat(deadPayloads(ALL.partition("p1").errorContains("parse"))).isEmpty();
    assertThat(deadLetters(ALL.partition("p2")).total()).isEqualTo(1);
  }

  @Test
  void shouldBuryForOneGroupOnly() {
    // given
    push("a");
    Delivery other = popOne(one().group("other"));
    kill(popOne(), "poison");
    // then
    assertStatus(ack(other), Status.ACKED);
    assertThat(deadLetters().items()).extracting(DeadLetter::group).containsExactly(GROUP);
  }

  @Test
  void shouldRequeueToTheOldPlaceWithoutFailures() {
    // given
    UUID id = bury("a", "poison");
    pushAll("b", "c");
    // when
    Affected affected = broker.requeue(RequeueRequest.of(ALL.message(id))).orThrow();
    // then
    assertThat(affected.count()).isEqualTo(1);
    assertThat(deadLetters().total()).isZero();
    Popped popped = popAll();
    assertThat(payloads(popped)).containsExactly("a", "b", "c");
    assertThat(popped.messages().getFirst().message().id()).isEqualTo(id);
    assertThat(popped.messages().getFirst().failures()).isZero();
    assertStatus(ackAll(popped), Status.ACKED);
  }

  @Test
  void shouldRequeueToItsOwnLane() {
    // given
    bury(message("low").lane(5), GROUP, "poison");
    push(message("high").lane(0));
    push(message("lowest").lane(9));
    // when
    broker.requeue(RequeueRequest.of(ALL)).orThrow();
    // then
    assertThat(payloads(popAll())).containsExactly("high", "low", "lowest");
  }

  @Test
  void shouldRequeueToItsOwnGroupOnly() {
    // given
    push("a");
    ack(popOne(one().group("other")));
    kill(popOne(), "poison");
    // when
    broker.requeue(RequeueRequest.of(ALL)).orThrow();
    // then
    assertThat(pop(one().group("other")).messages()).isEmpty();
    assertThat(payload(popOne())).isEqualTo("a");
  }

  @Test
  void shouldOnlyCountInADryRun() {
    // given
    bury("a", "x");
    bury("b", "y");
    // when
    Affected affected = broker.requeue(new RequeueRequest(ALL.errorContains("x"), true)).orThrow();
    // then
    assertThat(affected.count()).isEqualTo(1);
    assertThat(deadLetters().total()).isEqualTo(2);
    assertNothingToPop();
  }

  @Test
  void shouldRequeueByFilter() {
    // given
    bury("a", "x");
    bury("b", "y");
    bury("c", "x");
    // when
    Affected affected = broker.requeue(RequeueRequest.of(ALL.errorContains("x"))).orThrow();
    // then
    assertThat(affected.count()).isEqualTo(2);
    assertThat(deadPayloads(ALL)).containsExactly("b");
    assertThat(payloads(popAll())).containsExactly("a", "c");
  }

  @Test
  void shouldRequeueNothingTwice() {
    // given
    bury("a", "x");
    broker.requeue(RequeueRequest.of(ALL)).orThrow();
    // then
    assertThat(broker.requeue(RequeueRequest.of(ALL)).orThrow().count()).isZero();
    assertThat(payloads(popAll())).containsExactly("a");
  }

  @Test
  void shouldRequeueLongAfterTheMessageWouldBeForgotten() {
    // given
    bury("a", "x");
    push("b");
    ack(popOne());
    // when
    advanceSeconds(30 * 24 * 3600);
    broker.requeue(RequeueRequest.of(ALL)).orThrow();
    // then
    Delivery again = popOneSoon();
    assertThat(payload(again)).isEqualTo("a");
    assertStatus(ack(again), Status.ACKED);
  }

  @Test
  void shouldKeepARequeuedMessageOverARestart() {
    // given
    bury("a", "x");
    broker.requeue(RequeueRequest.of(ALL)).orThrow();
    // when
    restart();
    // then
    assertThat(payload(popOne())).isEqualTo("a");
  }

  @Test
  void shouldBuryARequeuedMessageAgain() {
    // given
    configure(QueueOption.RETRY_LIMIT, 1);
    UUID id = bury("a", "x");
    broker.requeue(RequeueRequest.of(ALL)).orThrow();
    // when
    assertStatus(nack(popOne()), Status.RETRYING);
    advanceSeconds(1);
    assertStatus(nack(popOneSoon()), Status.DEAD);
    // then
    assertThat(deadLetters().items()).extracting(d -> d.message().id()).containsExactly(id);
  }

  @Test
  void shouldRemoveThemByFilter() {
    // given
    UUID a = bury("a", "x");
    bury("b", "y");
    // when
    Affected affected = broker.removeDeadLetters(ALL.message(a)).orThrow();
    // then
    assertThat(affected.count()).isEqualTo(1);
    assertThat(deadPayloads(ALL)).containsExactly("b");
    assertNothingToPop();
  }

  @Test
  void shouldClearThemAll() {
    // given
    bury("a", "x");
    bury("b", "y");
    // when
    Affected affected = broker.removeDeadLetters(ALL).orThrow();
    // then
    assertThat(affected.count()).isEqualTo(2);
    assertThat(deadLetters().total()).isZero();
    assertThat(stats().dead()).isZero();
    restart();
    assertThat(deadLetters().items()).isEmpty();
  }

  @Test
  void shouldForgetThemAfterTheirOwnRetention() {
    // given
    configure(QueueOption.DEAD_RETENTION, 60);
    bury("a", "x");
    // when
    advanceSeconds(59);
    // then
    assertThat(deadPayloads(ALL)).containsExactly("a");
    // when
    advanceSeconds(2);
    // then
    eventually(() -> assertThat(deadLetters().total()).isZero());
  }

  @Test
  void shouldKeepThemForEverByDefault() {
    // given
    bury("a", "x");
    // when
    advanceSeconds(365L * 24 * 3600);
    // then
    assertThat(deadPayloads(ALL)).containsExactly("a");
  }

  @Test
  void shouldDropThemWhereTheQueueKeepsNone() {
    // given
    configure(
        ConfigureRequest.queue(QUEUE)
            .set(QueueOption.DEAD_LETTER_QUEUE, false)
            .set(QueueOption.DLQ_AFTER_MAX_RETRIES, false)
            .set(QueueOption.RETRY_LIMIT, 0));
    push("a");
    // when
    SettleVerdict verdict = nack(popOne());
    // then
    assertStatus(verdict, Status.DROPPED);
    assertThat(deadLetters().total()).isZero();
    assertThat(stats().totals().dropped()).isEqualTo(1);
    assertNothingToPop();
  }

  @Test
  void shouldKeepThemUnlessBothOptionsAreOff() {
    for (QueueOption off :
        List.of(QueueOption.DEAD_LETTER_QUEUE, QueueOption.DLQ_AFTER_MAX_RETRIES)) {
      // given
      configure(ConfigureRequest.queue(QUEUE).set(off, false).replacing());
      // when
      bury(off.wireName(), "x");
    }
    // then
    assertThat(deadLetters().total()).isEqualTo(2);
  }

  @Test
  void shouldCountThem() {
    // given
    bury("a", "x");
    // then
    assertThat(broker.queue(QUEUE).orThrow().counts().dead()).isEqualTo(1);
    assertThat(group(GROUP).dead()).isEqualTo(1);
    assertThat(stats().dead()).isEqualTo(1);
    assertThat(stats().totals().dead()).isEqualTo(1);
  }

  private UUID bury(String payload, String error) {
    return bury(message(payload), GROUP, error);
  }

  private UUID bury(NewMessage message, String group, String error) {
    UUID id = push(message).id();
    assertStatus(kill(popOne(one().group(group)), error), Status.DEAD);
    return id;
  }

  private List<String> deadPayloads(DeadLetterFilter filter) {
    return deadLetters(filter).items().stream().map(d -> text(d.message().payload())).toList();
  }

  @Test
  void shouldListWithoutCounting() {
    // given
    bury("a", "x");
    bury("b", "y");
    bury("c", "x");
    // when
    DeadLettersRequest request = new DeadLettersRequest(ALL.errorContains("x"), null, 1);
    DeadLetters first = broker.deadLetters(request.uncounted()).orThrow();
    DeadLetters second =
        broker
            .deadLetters(
                new DeadLettersRequest(ALL.errorContains("x"), first.next(), 1).uncounted())
            .orThrow();
    // then
    assertThat(first.total()).isEqualTo(-1);
    assertThat(text(first.items().getFirst().message().payload())).isEqualTo("a");
    assertThat(text(second.items().getFirst().message().payload())).isEqualTo("c");
    assertThat(second.next()).isNull();
  }

  @Test
  void shouldTellAboutThoseOfOneMessageOnly() {
    // given
    UUID id = push("a");
    kill(popOne(one().group("g1")), "x");
    kill(popOne(one().group("g2")), "y");
    bury(message("b"), "g1", "z");
    // when
    DeadLetters both =
        broker.deadLetters(new DeadLettersRequest(ALL.message(id), null, 1)).orThrow();
    DeadLetters second =
        broker.deadLetters(new DeadLettersRequest(ALL.message(id), both.next(), 1)).orThrow();
    // then
    assertThat(both.total()).isEqualTo(2);
    assertThat(both.items()).extracting(DeadLetter::group).containsExactly("g1");
    assertThat(second.items()).extracting(DeadLetter::group).containsExactly("g2");
    assertThat(second.next()).isNull();
    assertThat(deadPayloads(ALL.message(id).group("g2"))).containsExactly("a");
    assertThat(deadPayloads(ALL.message(new UUID(1, 2)))).isEmpty();
  }

  @Test
  void shouldFindDeathsByTheirTime() {
    // given
    List<Long> times = new ArrayList<>();
    for (String payload : List.of("a", "b", "c", "d", "e")) {
      times.add(now());
      bury(payload, "x");
      advanceSeconds(1);
    }
    // then
    assertThat(deadPayloads(ALL.died(times.get(1), times.get(3)))).containsExactly("b", "c");
    assertThat(deadPayloads(ALL.died(times.get(4), Long.MAX_VALUE))).containsExactly("e");
    assertThat(deadPayloads(ALL.died(times.get(4) + 1, Long.MAX_VALUE))).isEmpty();
    assertThat(
            broker.requeue(new RequeueRequest(ALL.died(0, times.get(2)), true)).orThrow().count())
        .isEqualTo(2);
  }

  @Test
  void shouldTellWhatTheyDiedOf() {
    // given
    bury("a", "order 17 not found");
    advanceSeconds(1);
    UUID second = bury("b", "order 18 not found");
    bury("c", "disk full");
    // when
    DeadErrors errors = broker.deadErrors(new DeadErrorsRequest(QUEUE, null, 100)).orThrow();
    // then
    assertThat(errors.looked()).isEqualTo(3);
    assertThat(errors.complete()).isTrue();
    assertThat(errors.errors())
        .containsExactlyInAnyOrder(
            new DeadErrors.Kind(
                "order # not found", "order 18 not found", 2, now() - 1_000, now(), second),
            new DeadErrors.Kind(
                "disk full",
                "disk full",
                1,
                now(),
                now(),
                deadLetters().items().getLast().message().id()));
  }

  @Test
  void shouldGoOnTellingWhatTheyDiedOfWhereItEnded() {
    // given
    bury("a", "x");
    bury("b", "y");
    DeadErrors first = broker.deadErrors(new DeadErrorsRequest(QUEUE, null, 1)).orThrow();
    // when
    DeadErrors rest = broker.deadErrors(new DeadErrorsRequest(QUEUE, first.last(), 9)).orThrow();
    DeadErrors none = broker.deadErrors(new DeadErrorsRequest(QUEUE, rest.last(), 9)).orThrow();
    // then
    assertThat(first.complete()).isFalse();
    assertThat(first.errors()).extracting(DeadErrors.Kind::error).containsExactly("x");
    assertThat(rest.errors()).extracting(DeadErrors.Kind::error).containsExactly("y");
    assertThat(rest.complete()).isTrue();
    assertThat(none.looked()).isZero();
    assertThat(none.last()).isEqualTo(rest.last());
  }

  @Test
  void shouldReplaceADeadLetterInOneCommit() {
    // given
    UUID dead = bury("a", "x");
    Operation remove = new Operation.RemoveDead(QUEUE, dead, GROUP);
    CommitRequest replace =
        CommitRequest.of(remove, new Operation.PushMessage(message("better"), false));
    // when
    Committed committed = broker.commit(replace).orThrow();
    Result<Committed> again = broker.commit(replace);
    // then
    assertThat(committed.steps().getFirst()).isEqualTo(new Committed.Step.DeadRemoved(1));
    assertThat(again.refusal().code()).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(again.refusal().operation()).isZero();
    assertThat(deadLetters().total()).isZero();
    assertThat(text(popOne().message().payload())).isEqualTo("better");
    assertThat(pop(one()).messages()).isEmpty();
  }

  @Test
  void shouldNotRemoveADeadLetterTwiceInOneCommit() {
    // given
    UUID dead = bury("a", "x");
    Operation remove = new Operation.RemoveDead(QUEUE, dead, null);
    // when
    Result<Committed> refused = broker.commit(CommitRequest.of(remove, remove));
    // then
    assertThat(refused.refusal().code()).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(refused.refusal().operation()).isEqualTo(1);
    assertThat(deadLetters().total()).isEqualTo(1);
  }

  @Test
  void shouldNotRemoveADeadLetterThatTheSameCommitCancels() {
    // given
    UUID dead = bury("a", "x");
    Operation cancel = new Operation.CancelMessage(MessageRef.id(dead));
    Operation remove = new Operation.RemoveDead(QUEUE, dead, null);
    // when
    Result<Committed> refused = broker.commit(CommitRequest.of(cancel, remove));
    // then
    assertThat(refused.refusal().code()).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(refused.refusal().operation()).isEqualTo(1);
    assertThat(deadLetters().total()).isEqualTo(1);
  }
}
