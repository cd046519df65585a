package io.holdfast.bench.flows.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.queue.Counts;
import io.holdfast.testkit.AppendedJournals;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Definition;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.FlowsListener;
import io.holdfast.workflow.Retry;
import io.holdfast.workflow.admin.FlowAdmin;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.ExecutionId;
import io.holdfast.workflow.message.Forms;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.message.WorkOrder;
import io.holdfast.workflow.store.Changes;
import io.holdfast.workflow.store.Digest;
import io.holdfast.workflow.store.Fetched;
import io.holdfast.workflow.store.FetchedTurn;
import io.holdfast.workflow.store.FlowRecord;
import io.holdfast.workflow.store.FlowStore;
import io.holdfast.workflow.store.Keys;
import io.holdfast.workflow.test.AlternatingBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A broker with flows in it, its clock, and the words in which the rules speak of them. */
@Timeout(value = WaitLimits.TEST_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class ProviderFixture {
  static final long LEASE_MS = 30_000;
  static final String INCARNATION = "incarnation";
  static final byte[] INPUT = "\"input\"".getBytes(StandardCharsets.UTF_8);
  static final Duration SOON = WaitLimits.WORKLOAD;

  private final ProviderContract implementation;
  private final List<Flows> serving = new ArrayList<>();
  final ManualClock clock = new ManualClock();
  AppendedJournals broker;
  FlowStore store;
  FlowAdmin admin;

  ProviderFixture(ProviderContract implementation) {
    this.implementation = implementation;
  }

  @BeforeEach
  void open() {
    broker = new AppendedJournals(implementation.start(clock));
    store = new FlowStore(broker, new Keys("flows"));
    store.prepare(List.of(Activity.NO_TAG));
    admin = new FlowAdmin(store, clock);
  }

  @AfterEach
  void close() {
    serving.forEach(Flows::close);
    broker.close();
  }

  // Workers

  FlowsConfig config() {
    return FlowsConfig.defaults().time(clock);
  }

  /**
   * Runs flows and activities until the test ends: with one worker, or with two that take turns
   * alternately.
   */
  Flows serve(Broker seen, FlowsConfig config, FlowsListener listener, Definition... code) {
    List<? extends Broker> brokers =
        implementation.isAlternating()
            ? AlternatingBroker.pair(seen, clock, store.keys().turns())
            : List.of(seen);
    List<Flows> workers =
        brokers.stream()
            .map(one -> Flows.on(one, config).register(code).listener(listener).serve())
            .toList();
    serving.addAll(workers);
    return workers.getFirst();
  }

  Flows serve(FlowsConfig config, Definition... code) {
    return serve(broker, config, FlowsListener.NONE, code);
  }

  Flows serve(Definition... code) {
    return serve(config(), code);
  }

  // Time

  void advanceMs(long ms) {
    clock.advance(Duration.ofMillis(ms));
  }

  static void eventually(Runnable assertion) {
    await().atMost(SOON).pollInterval(Duration.ofMillis(3)).untilAsserted(assertion::run);
  }

  // Turns

  /** Sends the start of a flow, and nothing else. */
  void sendStart(String id) {
    send(id, start());
  }

  static TurnMessage.Start start() {
    return new TurnMessage.Start("order", "1.0", INPUT, null);
  }

  void send(String id, TurnMessage message) {
    store.commit(store.changes().send(id, message)).orThrow();
  }

  Fetched<FetchedTurn> fetch(int flows) {
    return store.fetchTurns(flows, 0, LEASE_MS, "worker");
  }

  /** The one flow that has something to do. */
  FetchedTurn fetchTurn() {
    List<FetchedTurn> turns = fetch(1).items();
    assertThat(turns).hasSize(1);
    return turns.getFirst();
  }

  /** The same, as soon as there is one. */
  FetchedTurn fetchTurnSoon() {
    CompletableFuture<FetchedTurn> found = new CompletableFuture<>();
    eventually(() -> found.complete(fetchTurn()));
    return found.join();
  }

  /** Returns messages to their queue, uncharged, after a delay. */
  void abandon(List<Delivery> messages, long delayMs) {
    List<Settle> releases =
        messages.stream()
            .map(message -> Settle.release(message.handle()).delayMs(delayMs))
            .toList();
    broker.settle(new SettleRequest(releases, false)).orThrow();
  }

  void assertNothingToDo() {
    assertThat(fetch(10).items()).isEmpty();
  }

  static List<TurnMessage> messages(FetchedTurn turn) {
    return turn.messages().stream().map(m -> Forms.TURN.read(m.message().payload())).toList();
  }

  static FlowRecord running(String id, long nowMs) {
    return FlowRecord.pending("order", "1.0", Digest.of(INPUT), null, nowMs)
        .incarnation(INCARNATION)
        .status(FlowStatus.RUNNING, null, nowMs)
        .execution(1, "1.0", 1);
  }

  Event.Started started() {
    return new Event.Started(clock.wallMs(), "order", "1.0", INPUT, null, List.of());
  }

  Event.CallScheduled call(String activity) {
    return new Event.CallScheduled(clock.wallMs(), activity, Activity.NO_TAG, INPUT, Retry.NONE);
  }

  Event.TimerSet timer(long forMs) {
    return new Event.TimerSet(clock.wallMs(), forMs);
  }

  /** What the first turn of a flow brings about: its record, its start and some events. */
  Changes firstTurn(FetchedTurn turn, Event... done) {
    List<Event> events = new ArrayList<>(List.of(started()));
    events.addAll(Arrays.asList(done));
    return store
        .changes()
        .ack(turn.handles())
        .create(turn.id(), running(turn.id(), clock.wallMs()))
        .append(first(turn.id()), 0, events)
        .effects(first(turn.id()), 0, events);
  }

  /** What a later turn brings about. */
  Changes nextTurn(FetchedTurn turn, long position, Event... done) {
    return store
        .changes()
        .ack(turn.handles())
        .append(first(turn.id()), position, List.of(done))
        .effects(first(turn.id()), position, List.of(done));
  }

  /** A flow that runs, with some events after its start. */
  void begin(String id, Event... done) {
    sendStart(id);
    store.commit(firstTurn(fetchTurn(), done)).orThrow();
  }

  /** Ends a flow whose history holds so many events. */
  void end(String id, long position, FlowStatus how) {
    send(id, new TurnMessage.Raise("end", "end", INPUT));
    FetchedTurn turn = fetchTurn();
    FlowRecord before = record(id);
    FlowRecord after = before.ended(how, INPUT, null, clock.wallMs());
    Event.FlowCompleted end = new Event.FlowCompleted(clock.wallMs(), INPUT);
    store.commit(nextTurn(turn, position, end).save(id, before, after)).orThrow();
  }

  static void assertRefused(Result<Committed> result, ErrorCode... codes) {
    assertThat(result.isOk()).as("accepted").isFalse();
    assertThat(result.refusal().code()).isIn((Object[]) codes);
  }

  // Work

  Fetched<Delivery> fetchWork(int count) {
    return store.fetchWork(Activity.NO_TAG, count, 0, LEASE_MS, "worker");
  }

  Delivery fetchOneWork() {
    List<Delivery> work = fetchWork(1).items();
    assertThat(work).hasSize(1);
    return work.getFirst();
  }

  Delivery fetchOneWorkSoon() {
    CompletableFuture<Delivery> found = new CompletableFuture<>();
    eventually(() -> found.complete(fetchOneWork()));
    return found.join();
  }

  static WorkOrder order(Delivery work) {
    return Forms.WORK.read(work.message().payload());
  }

  /** Acks work and tells its flow, in one. */
  Result<Committed> complete(Delivery work, String result) {
    WorkOrder order = order(work);
    byte[] bytes = result.getBytes(StandardCharsets.UTF_8);
    return store.commit(
        store
            .changes()
            .ack(List.of(work.handle()))
            .send(
                order.flow(), new TurnMessage.Complete(order.executionId(), order.task(), bytes)));
  }

  Result<Extended> extend(String leaseId, long leaseMs) {
    return broker.extend(ExtendRequest.of(leaseId, leaseMs));
  }

  // Looking

  /** The record of a flow, which must be there. */
  FlowRecord record(String id) {
    return Objects.requireNonNull(store.flow(id));
  }

  List<Event> history(String id) {
    return store.events(first(id));
  }

  /** The first execution of a flow; of one without a record, as turns of these rules name it. */
  ExecutionId first(String id) {
    FlowRecord flow = store.flow(id);
    String incarnation =
        flow == null || flow.incarnation().isEmpty() ? INCARNATION : flow.incarnation();
    return new ExecutionId(id, incarnation, 1);
  }

  long workWaiting() {
    Counts counts = broker.queue(store.keys().work(Activity.NO_TAG)).orThrow().counts();
    return counts.waiting() + counts.returned() + counts.delayed();
  }

  /** How many messages for flows have not been settled. */
  long turnsLeft() {
    Counts counts = broker.queue(store.keys().turns()).orThrow().counts();
    return counts.waiting() + counts.returned() + counts.delayed() + counts.inFlight();
  }

  long deadTurns() {
    return broker
        .deadLetters(DeadLettersRequest.of(DeadLetterFilter.queue(store.keys().turns())))
        .orThrow()
        .items()
        .size();
  }

  static List<Handle> handles(List<FetchedTurn> turns) {
    return turns.stream().flatMap(turn -> turn.handles().stream()).toList();
  }

  /** Starts a call that waits, and returns when its thread waits. */
  static <T> CompletableFuture<T> waiting(Supplier<T> call) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Thread thread =
        Thread.startVirtualThread(
            () -> {
              try {
                answer.complete(call.get());
              } catch (Throwable e) {
                answer.completeExceptionally(e);
              }
            });
    eventually(
        () ->
            assertThat(thread.getState())
                .isIn(Thread.State.WAITING, Thread.State.TIMED_WAITING, Thread.State.TERMINATED));
    return answer;
  }
}
