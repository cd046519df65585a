package io.holdfast.bench.flows.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.wire.WireException;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.FlowsListener;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.store.FetchedTurn;
import io.holdfast.workflow.store.Loaded;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Group 2: what is wrong is refused, and nothing is lost by it. */
abstract class ErrorRules extends ProviderFixture {
  private static final byte[] GARBAGE = {(byte) 0xff, 1, 2, 3, 4, 5, 6, 7};

  private static final Orchestration<String, String> WAITS =
      Orchestration.named(
          "waits",
          String.class,
          String.class,
          (flow, text) -> text + flow.event("go", String.class).await());

  ErrorRules(ProviderContract implementation) {
    super(implementation);
  }

  @Test
  @DisplayName("invalid_lock_token_on_ack")
  void shouldRefuseATurnWithAMadeUpLease() {
    // given
    sendStart("a");
    FetchedTurn turn = fetchTurn();
    Handle forged = new Handle("no-such-lease", turn.handles().getFirst().position());
    // when, then
    assertRefused(
        store.commit(
            store
                .changes()
                .ack(List.of(forged))
                .create("a", running("a", 0))
                .append(first("a"), 0, List.of(started()))),
        ErrorCode.STALE_LEASE,
        ErrorCode.NOT_FOUND);
    assertThat(history("a")).isEmpty();
    assertThat(admin.find("a")).isEmpty();
    store.commit(firstTurn(turn)).orThrow();
  }

  @Test
  @DisplayName("duplicate_event_id_rejection")
  void shouldRefuseASecondEventAtTheSamePlace() {
    // given
    begin("a", call("one"));
    send("a", new TurnMessage.Raise("e1", "go", INPUT));
    FetchedTurn turn = fetchTurn();
    // when, then
    assertRefused(store.commit(nextTurn(turn, 1, call("two"))), ErrorCode.WRONG_POSITION);
    assertThat(history("a")).hasSize(2);
    assertThat(fetchWork(10).items()).hasSize(1);
    store.commit(nextTurn(turn, 2, call("two"))).orThrow();
    assertThat(history("a")).hasSize(3);
  }

  @Test
  @DisplayName("missing_instance_metadata")
  void shouldFetchATurnOfAFlowWithoutARecord() {
    // given
    send("a", new TurnMessage.Raise("e1", "go", INPUT));
    // when
    FetchedTurn turn = fetchTurn();
    Loaded loaded = store.load("a");
    // then
    assertThat(turn.id()).isEqualTo("a");
    assertThat(loaded.flow()).isNull();
    assertThat(loaded.length()).isZero();
    assertThat(loaded.unreadable()).isNull();
  }

  @Test
  @DisplayName("corrupted_serialization_data: a message")
  void shouldBuryAMessageThatCannotBeRead() {
    // given
    Flows flows = serve(WAITS);
    flows.start(WAITS, "a", "x");
    eventually(() -> assertThat(admin.get("a").status()).isEqualTo(FlowStatus.RUNNING));
    // when
    broker
        .push(PushRequest.of(NewMessage.to(store.keys().turns(), GARBAGE).partition("a")))
        .orThrow();
    flows.raise("a", "go", "y");
    // then
    assertThat(flows.await("a", WAITS, SOON)).isEqualTo("xy");
    assertThat(deadTurns()).isEqualTo(1);
  }

  @Test
  @DisplayName("corrupted_serialization_data: an order for work")
  void shouldBuryWorkThatCannotBeRead() {
    // given
    Activity<Integer, Integer> twice =
        Activity.named("twice", Integer.class, Integer.class, n -> 2 * n);
    Orchestration<Integer, Integer> calls =
        Orchestration.named(
            "calls", Integer.class, Integer.class, (flow, n) -> flow.call(twice, n).await());
    String queue = store.keys().work(Activity.NO_TAG);
    broker.push(PushRequest.of(NewMessage.to(queue, GARBAGE).partition("p0"))).orThrow();
    // when
    Flows flows = serve(calls, twice);
    flows.start(calls, "a", 4);
    // then
    assertThat(flows.await("a", calls, SOON)).isEqualTo(8);
    eventually(() -> assertThat(broker.queue(queue).orThrow().counts().dead()).isEqualTo(1));
  }

  @Test
  @DisplayName("corrupted_serialization_data: an event of the history")
  void shouldBlockAFlowWhoseHistoryCannotBeReadAndGoOnWhenItCan() {
    // given
    Flows before = serve(config().kept(0, 0), WAITS);
    before.start(WAITS, "a", "x");
    eventually(() -> assertThat(store.events("a", 1)).hasSize(2));
    String journal = store.keys().history(first("a"));
    List<byte[]> good = broker.journal(new JournalRequest(journal, 0, 10)).orThrow().events();
    rewrite(journal, List.of(good.getFirst(), GARBAGE));
    // when
    before.raise("a", "go", "y");
    // then
    eventually(() -> assertThat(admin.get("a").status()).isEqualTo(FlowStatus.BLOCKED));
    assertThat(admin.get("a").reason()).contains("event 1");
    assertThat(admin.get("a").kept()).isEqualTo(1);
    rewrite(journal, good);
    admin.retry("a");
    assertThat(before.await("a", WAITS, SOON)).isEqualTo("xy");
  }

  private void rewrite(String journal, List<byte[]> events) {
    broker
        .commit(
            new CommitRequest(
                List.of(
                    new Operation.DeleteJournal(journal),
                    new Operation.AppendJournal(journal, 0, events)),
                null))
        .orThrow();
  }

  @Test
  @DisplayName("corrupted_serialization_data: the record")
  void shouldLoseNothingIfTheRecordCannotBeRead() {
    // given
    AtomicInteger givenBack = new AtomicInteger();
    FlowsListener counts =
        new FlowsListener() {
          @Override
          public void turnAbandoned(String id, String reason) {
            givenBack.incrementAndGet();
          }
        };
    Flows flows = serve(broker, config().kept(0, 0), counts, WAITS);
    flows.start(WAITS, "a", "x");
    eventually(() -> assertThat(store.events("a", 1)).hasSize(2));
    String key = store.keys().flow("a");
    byte[] good = broker.record(RecordRequest.of(key)).orThrow().value();
    put(key, GARBAGE);
    // when
    flows.raise("a", "go", "y");
    // then: the turn is given back, again and again
    assertThatThrownBy(() -> admin.get("a")).isInstanceOf(WireException.class);
    eventually(
        () -> {
          advanceMs(1_000);
          assertThat(givenBack.get()).isGreaterThan(2);
        });
    assertThat(deadTurns()).isZero();
    put(key, good);
    eventually(
        () -> {
          advanceMs(1_000);
          assertThat(admin.get("a").status()).isEqualTo(FlowStatus.COMPLETED);
        });
    assertThat(flows.await("a", WAITS, SOON)).isEqualTo("xy");
  }

  private void put(String key, byte[] value) {
    broker
        .commit(
            new CommitRequest(
                List.of(new Operation.PutRecord(key, Operation.ANY_VERSION, value)), null))
        .orThrow();
  }

  @Test
  @DisplayName("lock_expiration_during_ack")
  void shouldRefuseATurnWhoseLeaseIsOver() {
    // given
    sendStart("a");
    FetchedTurn turn = fetchTurn();
    // when
    advanceMs(LEASE_MS + 1);
    FetchedTurn next = fetchTurnSoon();
    // then
    assertRefused(store.commit(firstTurn(turn)), ErrorCode.STALE_LEASE);
    assertThat(history("a")).isEmpty();
    store.commit(firstTurn(next)).orThrow();
    assertThat(history("a")).hasSize(1);
  }
}
