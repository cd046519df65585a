package io.holdfast.workflow.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.RecordsRequest;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.queue.Counts;
import io.holdfast.workflow.FlowException;
import io.holdfast.workflow.FlowException.Reason;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.store.Digest;
import io.holdfast.workflow.store.Fetched;
import io.holdfast.workflow.store.FetchedTurn;
import io.holdfast.workflow.store.FlowRecord;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class DeletionTest extends AdminFixture {
  private static void assertRefused(ThrowingCallable call, Reason reason) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            FlowException.class, refused -> assertThat(refused.reason()).isEqualTo(reason));
  }

  /** No record of any flow, and no journal. */
  private void assertNothingLeft() {
    assertThat(broker.records(new RecordsRequest("flows/", null, 100)).orThrow().items())
        .extracting(record -> record.key())
        .isEmpty();
    assertThat(broker.left("flows/")).isEmpty();
  }

  /** Waits until nothing is on its way to any flow. */
  private void awaitQuiet() {
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              Counts turns = broker.queue("flows").orThrow().counts();
              assertThat(turns.waiting() + turns.inFlight() + turns.delayed()).isZero();
            });
  }

  @Test
  void shouldDeleteFlowsThatHaveEnded() {
    // given
    run(ECHO, "e", "x");
    run(FAILS, "f", "x");
    // when
    assertThat(admin.delete("e", DeleteOptions.CAREFUL)).isEqualTo(1);
    assertThat(admin.delete("f", DeleteOptions.CAREFUL)).isEqualTo(1);
    // then
    assertThat(admin.find("e")).isEmpty();
    assertNothingLeft();
    assertRefused(() -> admin.delete("e", DeleteOptions.FORCED), Reason.NOT_FOUND);
    // and it can be started anew
    flows.start(ECHO, "e", "y");
    assertThat(flows.await("e", ECHO, SOON)).isEqualTo("y");
  }

  @Test
  void shouldDeleteARunningFlowOnlyByForce() {
    // given
    flows.start(WORKS, "w", "gate");
    awaitWaiting("w");
    await().atMost(SOON).until(() -> GATES.containsKey("gate"));
    // then
    assertRefused(() -> admin.delete("w", DeleteOptions.WITH_CHILDREN), Reason.WRONG_STATUS);
    assertThat(admin.get("w").status()).isEqualTo(FlowStatus.RUNNING);
    // when
    admin.delete("w", DeleteOptions.FORCED);
    // then
    assertNothingLeft();
    Counts work = broker.queue("flows.work").orThrow().counts();
    assertThat(work.waiting() + work.inFlight() + work.returned()).isZero();
    awaitQuiet();
    openGate("gate");
    await().atMost(SOON).until(() -> ENDED.contains("gate"));
    assertNothingLeft();
  }

  @Test
  void shouldDropTheAnswerOfAnActivityOfADeletedFlow() {
    // given: an activity of a flow that is deleted and started anew
    flows.start(WORKS, "w", "old");
    await().atMost(SOON).until(() -> GATES.containsKey("old"));
    admin.delete("w", DeleteOptions.FORCED);
    flows.start(WORKS, "w", "new");
    await().atMost(SOON).until(() -> GATES.containsKey("new"));
    // when
    openGate("old");
    await().atMost(SOON).until(() -> ENDED.contains("old"));
    openGate("new");
    // then
    assertThat(flows.await("w", WORKS, SOON)).isEqualTo("new");
  }

  @Test
  void shouldNotLetATurnInFlightBringAFlowBack() {
    // given: a worker that has the first turn of a flow
    flows.close();
    Flows client = Flows.on(broker);
    client.start(ECHO, "e", "x");
    Fetched<FetchedTurn> fetched = store.fetchTurns(1, 0, 30_000, "me");
    List<Handle> held =
        fetched.items().getFirst().messages().stream().map(message -> message.handle()).toList();
    // when
    client.admin().delete("e", DeleteOptions.FORCED);
    byte[] input = {'1'};
    FlowRecord born =
        FlowRecord.pending("echo", "1.0", Digest.of(input), null, 1)
            .incarnation("i")
            .execution(1, "1.0", 1);
    CommitRequest turn =
        store
            .changes()
            .ack(held)
            .append(
                born.executionId("e"),
                0,
                List.of(new Event.Started(1, "echo", "1.0", input, null, List.of())))
            .save("e", null, born)
            .request();
    // then
    assertThat(broker.commit(turn).isOk()).isFalse();
    assertNothingLeft();
    assertThat(store.fetchTurns(1, 0, 30_000, "me").items()).isEmpty();
  }

  @Test
  void shouldRefuseToOrphanAChild() {
    // given
    flows.start(PARENT, "p", 3);
    flows.awaitEnd("p", SOON);
    // then
    assertRefused(() -> admin.delete("p", DeleteOptions.CAREFUL), Reason.HAS_CHILDREN);
    assertThat(admin.delete("p", DeleteOptions.WITH_CHILDREN)).isEqualTo(4);
    assertNothingLeft();
  }

  @Test
  void shouldDeleteAParentTogetherWithItsChildrenIfTheyAreNamed() {
    // given
    flows.start(PARENT, "p", 2);
    flows.awaitEnd("p", SOON);
    List<String> children = admin.children("p", null, 10).items();
    // then
    assertRefused(
        () -> admin.delete(List.of("p", children.getFirst()), DeleteOptions.CAREFUL),
        Reason.HAS_CHILDREN);
    assertThat(
            admin.delete(
                List.of("p", children.getFirst(), children.getLast()), DeleteOptions.CAREFUL))
        .isEqualTo(3);
    assertNothingLeft();
  }

  @Test
  void shouldDeleteAllOrNone() {
    // given
    run(ECHO, "a", "x");
    flows.start(WAITS, "b", "x");
    awaitWaiting("b");
    // then
    assertRefused(
        () -> admin.delete(List.of("a", "b"), DeleteOptions.WITH_CHILDREN), Reason.WRONG_STATUS);
    assertRefused(
        () -> admin.delete(List.of("a", "nobody"), DeleteOptions.FORCED), Reason.NOT_FOUND);
    assertThat(admin.find("a")).isPresent();
    assertThat(admin.find("b")).isPresent();
    // when
    assertThat(admin.delete(List.of("a", "b"), DeleteOptions.FORCED)).isEqualTo(2);
    assertNothingLeft();
  }

  @Test
  void shouldTellAParentThatItsChildWasDeleted() {
    // given
    flows.start(GUARDIAN, "g", "child");
    awaitWaiting("child");
    // when
    admin.delete("child", DeleteOptions.FORCED);
    // then
    assertThatThrownBy(() -> flows.await("g", GUARDIAN, SOON))
        .hasMessageContaining("child was deleted");
  }

  @Test
  void shouldDeleteAChildThatHasHadNoTurn() {
    // given: a child whose start nobody has fetched
    flows.close();
    Flows client = Flows.on(broker);
    client.start(GUARDIAN, "g", "child");
    try (Flows guards = Flows.on(broker).register(GUARDIAN).serve()) {
      await().atMost(SOON).until(() -> !guards.admin().show("g").waits().isEmpty());
    }
    assertThat(client.admin().find("child")).isEmpty();
    // then
    assertRefused(
        () -> client.admin().delete("g", new DeleteOptions(false, true)), Reason.HAS_CHILDREN);
    client.admin().delete("g", DeleteOptions.FORCED);
    // and nobody can start it any more
    Counts turns = broker.queue("flows").orThrow().counts();
    assertThat(turns.waiting() + turns.returned() + turns.delayed()).isZero();
  }

  @Test
  void shouldPurgeByStatusNameAndTime() {
    // given
    run(ECHO, "e1", "x");
    run(ECHO, "e2", "x");
    run(FAILS, "f1", "x");
    flows.start(WAITS, "w1", "x");
    awaitWaiting("w1");
    long endedMs = admin.get("e2").sinceMs();
    // then
    PurgeFilter all = PurgeFilter.ended();
    assertThat(admin.purge(all, true)).isEqualTo(new Purged(3, 0, 0, false));
    assertThat(admin.purge(all.limit(2), true)).isEqualTo(new Purged(2, 0, 0, true));
    assertThat(admin.purge(all.endedBefore(1_000), false).matched()).isZero();
    assertThat(admin.purge(all.name("nobody"), false).matched()).isZero();
    assertThat(admin.purge(all.status(FlowStatus.CANCELLED), false).matched()).isZero();
    assertThat(admin.purge(all.name("echo").limit(1), false)).isEqualTo(new Purged(1, 1, 0, true));
    assertThat(admin.find("e1")).isEmpty();
    assertThat(admin.purge(all.status(FlowStatus.COMPLETED).endedBefore(endedMs + 1), false))
        .isEqualTo(new Purged(1, 1, 0, false));
    assertThat(admin.purge(all, false)).isEqualTo(new Purged(1, 1, 0, false));
    assertThat(admin.get("w1").status()).isEqualTo(FlowStatus.RUNNING);
    assertThatThrownBy(() -> PurgeFilter.ended().status(FlowStatus.RUNNING))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("statuses: expected");
  }

  @Test
  void shouldPurgeChildrenWithTheirParentsOnly() {
    // given
    flows.start(PARENT, "p", 3);
    flows.awaitEnd("p", SOON);
    flows.start(GUARDIAN, "g", "child");
    awaitWaiting("child");
    admin.terminate("g", "enough");
    awaitStatus("g", FlowStatus.TERMINATED);
    awaitStatus("child", FlowStatus.TERMINATED);
    // then: the children are not roots, but go with them
    assertThat(admin.purge(PurgeFilter.ended().name("echo"), false).matched()).isZero();
    assertThat(admin.purge(PurgeFilter.ended(), false)).isEqualTo(new Purged(2, 6, 0, false));
    assertNothingLeft();
  }

  @Test
  void shouldPruneFormerExecutions() {
    // given
    flows.start(LOOP, "l", 4);
    flows.awaitEnd("l", SOON);
    assertThat(admin.executions("l")).hasSize(5);
    // then
    assertThat(admin.prune("l", 4, 0)).isEqualTo(1);
    assertThat(admin.prune("l", 1, 1_000)).isZero();
    assertThat(admin.executions("l"))
        .extracting(ExecutionInfo::number)
        .containsExactly(2L, 3L, 4L, 5L);
    assertThat(admin.prune("l", 2, Long.MAX_VALUE)).isEqualTo(2);
    assertThat(admin.prune(FlowQuery.all(), 1, 0)).isEqualTo(1);
    assertThat(admin.executions("l")).extracting(ExecutionInfo::number).containsExactly(5L);
    assertThat(admin.prune("l", 1, 0)).isZero();
    assertThatThrownBy(() -> admin.prune("l", 0, 0)).hasMessageContaining("keepLast");
    assertRefused(() -> admin.prune("nobody", 1, 0), Reason.NOT_FOUND);
    // when: a repeat of its start comes late
    broker
        .commit(CommitRequest.of(flows.starting(LOOP, "l", 4), flows.starting(ECHO, "end", "x")))
        .orThrow();
    awaitStatus("end", FlowStatus.COMPLETED);
    awaitQuiet();
    // then: it is the flow that it was
    assertThat(admin.get("l").execution()).isEqualTo(5);
    assertThat(admin.get("l").status()).isEqualTo(FlowStatus.COMPLETED);
    // and nothing stays when it goes
    admin.delete(List.of("l", "end"), DeleteOptions.CAREFUL);
    assertNothingLeft();
  }

  @Test
  void shouldNotBeginAnewAfterManyExecutions() {
    // given: a flow whose first history is not kept any more
    flows.start(LOOP, "l", 9);
    flows.awaitEnd("l", SOON);
    // when: a repeat of its start comes late
    broker
        .commit(CommitRequest.of(flows.starting(LOOP, "l", 9), flows.starting(ECHO, "end", "x")))
        .orThrow();
    awaitStatus("end", FlowStatus.COMPLETED);
    awaitQuiet();
    // then
    assertThat(admin.get("l").execution()).isEqualTo(10);
    assertThat(admin.get("l").status()).isEqualTo(FlowStatus.COMPLETED);
  }
}
