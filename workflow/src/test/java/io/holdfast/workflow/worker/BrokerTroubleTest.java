package io.holdfast.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.TimerThread;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.Settled;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.FlowsListener;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.store.FetchedTurn;
import io.holdfast.workflow.store.FlowStore;
import io.holdfast.workflow.store.Keys;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A broker that refuses commits, or cannot be reached, is not held against a flow. */
class BrokerTroubleTest {
  private static final long LEASE_MS = 30_000;

  /** More rounds than workers may die of a flow. */
  private static final int ROUNDS = 12;

  private static final Activity<Integer, Integer> TWICE =
      Activity.named("twice", Integer.class, Integer.class, n -> 2 * n);

  private static final Orchestration<Integer, Integer> CALLS =
      Orchestration.named(
          "calls", Integer.class, Integer.class, (flow, n) -> flow.call(TWICE, n).await());

  private final ManualClock clock = new ManualClock();
  private final EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.inMemory(), clock);
  private final FlowsConfig config = FlowsConfig.defaults().time(clock);
  private final Flows flows = Flows.on(broker, config);
  private final TimerThread timer = new TimerThread(clock, "test-timer", failure -> {});
  private @Nullable Supplier<Result<Committed>> trouble;
  private long reachableAtMs;
  private final FlowStore store =
      new FlowStore(
          new ForwardingBroker(broker) {
            @Override
            public Result<Committed> commit(CommitRequest request) {
              Supplier<Result<Committed>> now = trouble;
              return now == null ? super.commit(request) : now.get();
            }

            @Override
            public Result<Settled> settle(SettleRequest request) {
              if (clock.wallMs() < reachableAtMs) {
                throw unreachable();
              }
              return super.settle(request);
            }
          },
          new Keys("flows"));
  private final Commits commits = new Commits(store, ms -> {}, LEASE_MS);
  private final Tools tools = tools();

  private Tools tools() {
    Registry registry = new Registry();
    registry.add(CALLS);
    registry.add(TWICE);
    return new Tools(store, registry, config, new Sticky(10, 1 << 20), FlowsListener.NONE);
  }

  @AfterEach
  void close() {
    timer.close();
    broker.close();
  }

  private static Supplier<Result<Committed>> refusing(ErrorCode code) {
    return () -> Result.refused(code, "the test refuses commits");
  }

  private static UnreachableException unreachable() {
    return new UnreachableException("the test is unreachable", true, new IOException());
  }

  private void turn() throws InterruptedException {
    turn(commits, LEASE_MS);
  }

  private void turn(Commits by, long leaseMs) throws InterruptedException {
    FetchedTurn turn = fetched(leaseMs);
    CountDownLatch over = new CountDownLatch(1);
    new Turn(tools, by, turn).run(over::countDown);
    assertThat(over.await(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  private FetchedTurn fetched(long leaseMs) {
    List<FetchedTurn> turns = store.fetchTurns(1, 0, leaseMs, "w").items();
    assertThat(turns).hasSize(1);
    return turns.getFirst();
  }

  private void work() throws InterruptedException {
    List<Delivery> work = store.fetchWork(Activity.NO_TAG, 1, 0, LEASE_MS, "w").items();
    assertThat(work).hasSize(1);
    CountDownLatch over = new CountDownLatch(1);
    Attempt attempt = new Attempt(tools, new Results(store, commits), timer, work.getFirst());
    attempt.then(over::countDown, () -> {});
    attempt.run();
    assertThat(over.await(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  private void expireLeases() {
    clock.advance(Duration.ofMinutes(2));
  }

  private FlowStatus status() {
    return flows.find("c").orElseThrow().status();
  }

  @ParameterizedTest
  @EnumSource(names = {"OVERLOADED", "LIMIT", "FULL", "SHARD_STOPPED"})
  void shouldNotBlockAFlowWhoseTurnsAreRefused(ErrorCode code) throws InterruptedException {
    // given
    store.prepare(tools.registry().tags());
    flows.start(CALLS, "c", 4);
    trouble = refusing(code);
    for (int i = 0; i < ROUNDS; i++) {
      turn();
      expireLeases();
    }
    // when
    trouble = null;
    turn();
    // then
    assertThat(status()).isEqualTo(FlowStatus.RUNNING);
  }

  @Test
  void shouldNotBlockAFlowWhoseTurnsCannotBeSent() throws InterruptedException {
    // given
    store.prepare(tools.registry().tags());
    flows.start(CALLS, "c", 4);
    trouble =
        () -> {
          throw unreachable();
        };
    for (int i = 0; i < ROUNDS; i++) {
      turn();
      expireLeases();
    }
    // when
    trouble = null;
    turn();
    // then
    assertThat(status()).isEqualTo(FlowStatus.RUNNING);
  }

  @Test
  void shouldNotBlockAFlowWhoseResultsAreRefused() throws InterruptedException {
    // given
    store.prepare(tools.registry().tags());
    flows.start(CALLS, "c", 4);
    turn();
    trouble = refusing(ErrorCode.OVERLOADED);
    for (int i = 0; i < ROUNDS; i++) {
      work();
      expireLeases();
    }
    // when
    trouble = null;
    work();
    turn();
    // then
    assertThat(status()).isEqualTo(FlowStatus.COMPLETED);
  }

  /** How often a flow is charged for a turn that cannot be stored during an outage. */
  private int expiries(long leaseMs, Duration outage) throws InterruptedException {
    store.prepare(tools.registry().tags());
    flows.start(CALLS, "c", 4);
    trouble = refusing(ErrorCode.SHARD_STOPPED);
    reachableAtMs = clock.wallMs() + outage.toMillis();
    turn(new Commits(store, ms -> clock.advance(Duration.ofMillis(ms)), leaseMs), leaseMs);
    clock.advance(Duration.ofMillis(leaseMs));
    return fetched(leaseMs).messages().getFirst().expiries();
  }

  @Test
  void shouldNotChargeAFlowForAnOutageShorterThanItsLease() throws InterruptedException {
    assertThat(expiries(20 * LEASE_MS, Duration.ofMillis(15 * LEASE_MS))).isZero();
  }

  @Test
  void shouldChargeAFlowOnceForAnOutageLongerThanItsLease() throws InterruptedException {
    assertThat(expiries(LEASE_MS, Duration.ofMillis(20 * LEASE_MS))).isEqualTo(1);
  }
}
