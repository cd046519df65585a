package io.holdfast.bench.flows.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.Delivery;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.store.FetchedTurn;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Group 10: how often something was tried, and what comes of it.
 *
 * <p>Two things are counted here: deliveries, and deliveries whose worker died. Only the second
 * makes a poison, and giving something back does not add to it.
 */
abstract class PoisonRules extends ProviderFixture {
  private static final Activity<Integer, Integer> TWICE =
      Activity.named("twice", Integer.class, Integer.class, n -> 2 * n);
  private static final Orchestration<Integer, Integer> CALLS =
      Orchestration.named(
          "calls", Integer.class, Integer.class, (flow, n) -> flow.call(TWICE, n).await());

  PoisonRules(ProviderContract implementation) {
    super(implementation);
  }

  @Test
  @DisplayName("orchestration_attempt_count_starts_at_one")
  void shouldCountTheFirstDeliveryOfATurnAsOne() {
    sendStart("a");
    Delivery first = fetchTurn().messages().getFirst();
    assertThat(first.attempt()).isEqualTo(1);
    assertThat(first.expiries()).isZero();
  }

  @Test
  @DisplayName("orchestration_attempt_count_increments_on_refetch")
  void shouldCountFurtherDeliveriesOfATurn() {
    sendStart("a");
    fetchTurn();
    for (int attempt = 2; attempt <= 4; attempt++) {
      advanceMs(LEASE_MS + 1);
      Delivery next = fetchTurnSoon().messages().getFirst();
      assertThat(next.attempt()).isEqualTo(attempt);
      assertThat(next.expiries()).isEqualTo(attempt - 1);
    }
  }

  @Test
  @DisplayName("worker_attempt_count_starts_at_one")
  void shouldCountTheFirstDeliveryOfWorkAsOne() {
    begin("a", call("one"));
    Delivery work = fetchOneWork();
    assertThat(work.attempt()).isEqualTo(1);
    assertThat(work.expiries()).isZero();
  }

  @Test
  @DisplayName("worker_attempt_count_increments_on_lock_expiry")
  void shouldCountFurtherDeliveriesOfWork() {
    begin("a", call("one"));
    fetchOneWork();
    advanceMs(LEASE_MS + 1);
    Delivery again = fetchOneWorkSoon();
    assertThat(again.attempt()).isEqualTo(2);
    assertThat(again.expiries()).isEqualTo(1);
  }

  @Test
  @DisplayName("attempt_count_is_per_message")
  void shouldCountEachMessageByItself() {
    // given
    sendStart("a");
    fetchTurn();
    send("a", new TurnMessage.Raise("e1", "go", INPUT));
    // when
    advanceMs(LEASE_MS + 1);
    FetchedTurn turn = fetchTurnSoon();
    // then
    assertThat(turn.messages()).extracting(Delivery::attempt).containsExactly(2, 1);
    assertThat(turn.messages()).extracting(Delivery::expiries).containsExactly(1, 0);
  }

  @Test
  @DisplayName("abandon_work_item_ignore_attempt_decrements")
  void shouldChargeNothingToWorkThatIsGivenBack() {
    begin("a", call("one"));
    abandon(List.of(fetchOneWork()), 0);
    Delivery again = fetchOneWork();
    assertThat(again.expiries()).isZero();
    assertThat(again.failures()).isZero();
  }

  @Test
  @DisplayName("abandon_orchestration_item_ignore_attempt_decrements")
  void shouldChargeNothingToATurnThatIsGivenBack() {
    sendStart("a");
    abandon(fetchTurn().messages(), 0);
    Delivery again = fetchTurn().messages().getFirst();
    assertThat(again.expiries()).isZero();
    assertThat(again.failures()).isZero();
  }

  @Test
  @DisplayName("ignore_attempt_never_goes_negative")
  void shouldNeverCountBelowNothing() {
    begin("a", call("one"));
    for (int i = 0; i < 5; i++) {
      Delivery work = fetchOneWork();
      assertThat(work.attempt()).isPositive();
      assertThat(work.expiries()).isZero();
      assertThat(work.failures()).isZero();
      abandon(List.of(work), 0);
    }
  }

  @Test
  @DisplayName("max_attempt_count_across_message_batch")
  void shouldBlockAFlowByTheWorstOfItsMessages() {
    // given: two workers died with the start, none with what came later
    admin.start("calls", "1.0", "a", "4".getBytes(StandardCharsets.UTF_8));
    fetchTurn();
    advanceMs(LEASE_MS + 1);
    fetchTurnSoon();
    send("a", new TurnMessage.Raise("e1", "go", INPUT));
    advanceMs(LEASE_MS + 1);
    eventually(() -> assertThat(broker.stats().orThrow().leases()).isZero());
    // when
    Flows flows = serve(config().poisonAfter(2), CALLS, TWICE);
    // then
    eventually(() -> assertThat(admin.get("a").status()).isEqualTo(FlowStatus.BLOCKED));
    assertThat(admin.get("a").reason()).contains("2 workers died");
    eventually(() -> assertThat(admin.get("a").kept()).isEqualTo(2));
    admin.retry("a");
    assertThat(flows.await("a", CALLS, SOON)).isEqualTo(8);
  }

  @Test
  @DisplayName("ours: work that no worker survives blocks its flow, and can be tried again")
  void shouldBlockAFlowWhoseActivityKillsWorkers() {
    // given
    Flows turns = serve(config().worker("turns"), CALLS);
    turns.start(CALLS, "a", 4);
    for (int deaths = 0; deaths < 2; deaths++) {
      fetchOneWorkSoon();
      advanceMs(LEASE_MS + 1);
      eventually(() -> assertThat(workWaiting()).isEqualTo(1));
    }
    // when
    Flows work = serve(config().worker("work").poisonAfter(2), TWICE);
    // then
    eventually(() -> assertThat(admin.get("a").status()).isEqualTo(FlowStatus.BLOCKED));
    assertThat(admin.get("a").reason()).contains("twice");
    admin.retry("a");
    assertThat(work.await("a", CALLS, SOON)).isEqualTo(8);
  }
}
