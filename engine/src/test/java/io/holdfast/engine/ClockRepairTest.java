package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Snapshot;
import io.holdfast.engine.store.StoreException;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.verify.Verify;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A system clock that was years ahead while a broker ran, and what gets the broker back. */
@Tag("slow")
@Timeout(WaitLimits.TEST_SECONDS)
class ClockRepairTest {
  private static final Duration YEARS = Duration.ofDays(5 * 365);
  private static final String WALL_GIVEN = "at its time";

  @TempDir Path directory;
  private final ManualClock clock = new ManualClock();

  /** What was done while the clock was wrong. */
  private record Bad(UUID waiting, UUID named, Delivery held, long absoluteMs) {}

  private EmbeddedBroker open() {
    return EmbeddedBroker.open(EngineConfig.at(directory), clock);
  }

  private static UUID push(EmbeddedBroker broker, NewMessage message) {
    PushedMessage pushed = broker.push(PushRequest.of(message)).orThrow().messages().getFirst();
    assertThat(pushed.duplicate()).isFalse();
    return pushed.id();
  }

  private static NewMessage to(String queue, String payload) {
    return NewMessage.to(queue, payload.getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> pop(EmbeddedBroker broker, String queue) {
    Popped popped =
        broker.pop(PopRequest.queue(queue).batch(100).partitions(100).autoAck(true)).orThrow();
    return popped.messages().stream()
        .map(delivery -> new String(delivery.message().payload(), StandardCharsets.UTF_8))
        .toList();
  }

  private static Delivery hold(EmbeddedBroker broker, String queue, long leaseMs) {
    return broker.pop(PopRequest.queue(queue).leaseMs(leaseMs)).orThrow().messages().getFirst();
  }

  private static Status settle(EmbeddedBroker broker, Settle settle) {
    return broker.settle(SettleRequest.of(settle)).orThrow().verdicts().getFirst().status();
  }

  /** Fills a broker: first under a right clock, then under one that is years ahead. */
  private Bad fill(EmbeddedBroker broker) {
    long absoluteMs = clock.wallMs() + YEARS.multipliedBy(2).toMillis();
    push(broker, to("delayed", "in an hour").delayMs(3_600_000));
    push(broker, to("delayed", WALL_GIVEN).visibleAtMs(absoluteMs));
    push(broker, to("lane", "right"));
    push(broker, to("held", "held"));
    push(broker, to("failed", "failed"));
    push(broker, to("dead", "dead"));
    broker.configure(ConfigureRequest.queue("aging").set(QueueOption.TTL, 600L)).orThrow();
    UUID waiting = push(broker, to("lane", "wrong"));
    push(broker, to("aging", "ages"));
    UUID named = push(broker, to("names", "x").transactionId("n"));
    Delivery held = hold(broker, "held", 60_000);
    settle(broker, Settle.nack(hold(broker, "failed", 60_000).handle(), "e").delayMs(120_000));
    settle(broker, Settle.kill(hold(broker, "dead", 60_000).handle(), "e"));
    return new Bad(waiting, named, held, absoluteMs);
  }

  private Bad liveInTheFuture() {
    try (EmbeddedBroker broker = open()) {
      push(broker, to("lane", "early"));
    }
    clock.jumpWall(YEARS);
    Bad bad;
    try (EmbeddedBroker broker = open()) {
      bad = fill(broker);
    }
    clock.jumpWall(YEARS.negated());
    return bad;
  }

  @Test
  void shouldSayHowFarABrokerIsAheadOfTheSystemClock() {
    liveInTheFuture();

    try (EmbeddedBroker broker = open()) {
      assertThat(broker.stats().orThrow().clockAheadMs()).isEqualTo(YEARS.toMillis());
    }
    clock.jumpWall(YEARS);
    try (EmbeddedBroker broker = open()) {
      assertThat(broker.stats().orThrow().clockAheadMs()).isZero();
    }
  }

  @Test
  void shouldChangeNothingOfAClockThatIsRight() {
    // given
    try (EmbeddedBroker broker = open()) {
      push(broker, to("q", "x"));
    }

    // when
    ClockRepair.Report report = ClockRepair.run(directory, clock.wallMs() - 59_000);

    // then
    assertThat(report.isNeeded()).isFalse();
    assertThat(report.rows()).isEmpty();
    assertThat(report.lastMs()).isEqualTo(clock.wallMs());
  }

  @Test
  void shouldMakeNoStoreWhereThereIsNone() {
    assertThatThrownBy(() -> ClockRepair.run(directory.resolve("none"), clock.wallMs()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("no store");
    assertThat(directory.resolve("none")).doesNotExist();
  }

  @Test
  void shouldRefuseAStoreThatIsOpen() {
    try (EmbeddedBroker broker = open()) {
      push(broker, to("q", "x"));
      assertThatThrownBy(() -> ClockRepair.dryRun(directory, 1)).isInstanceOf(StoreException.class);
      assertThatThrownBy(() -> ClockRepair.run(directory, 1)).isInstanceOf(StoreException.class);
    }
  }

  @Test
  void shouldSayInADryRunWhatItWouldChange() {
    // given
    liveInTheFuture();

    // when
    ClockRepair.Report dry = ClockRepair.dryRun(directory, clock.wallMs());
    ClockRepair.Report again = ClockRepair.dryRun(directory, clock.wallMs());

    // then
    assertThat(dry.isNeeded()).isTrue();
    assertThat(dry.lastMs() - dry.wallMs()).isEqualTo(YEARS.toMillis());
    assertThat(dry.rows())
        .containsKeys("partitions", "messages", "delayed", "agenda", "leases", "dead", "returned");
    assertThat(again).isEqualTo(dry);
    assertThat(ClockRepair.run(directory, clock.wallMs())).isEqualTo(dry);
    assertThat(ClockRepair.run(directory, clock.wallMs()).isNeeded()).isFalse();
  }

  @Test
  void shouldLetABrokerGoOnAsIfTheClockHadAlwaysBeenRight() {
    // given
    Bad bad = liveInTheFuture();

    // when
    ClockRepair.run(directory, clock.wallMs());

    // then all is sound, and time is right
    assertThat(Verify.directory(directory).violations()).isEmpty();
    try (EmbeddedBroker broker = open()) {
      assertThat(broker.stats().orThrow().clockAheadMs()).isZero();
      assertKept(broker, bad);
      assertLeaseEnds(broker, bad);
      assertRetriedAndDelayed(broker);
      assertAged(broker, bad);
      assertNotEarly(broker, bad);
    }
    assertThat(Verify.directory(directory).violations()).isEmpty();
  }

  private void assertKept(EmbeddedBroker broker, Bad bad) {
    assertThat(broker.message(MessageRef.id(bad.waiting())).isOk()).as("ids stay").isTrue();
    push(broker, to("lane", "later"));
    assertThat(pop(broker, "lane")).containsExactly("early", "right", "wrong", "later");
    assertThat(pop(broker, "delayed")).isEmpty();
    assertThat(pop(broker, "failed")).isEmpty();
    PushedMessage twin =
        broker
            .push(PushRequest.of(to("names", "y").transactionId("n")))
            .orThrow()
            .messages()
            .getFirst();
    assertThat(twin.duplicate()).isTrue();
    assertThat(twin.id()).isEqualTo(bad.named());
  }

  private void assertLeaseEnds(EmbeddedBroker broker, Bad bad) {
    clock.advance(Duration.ofSeconds(59));
    assertThat(pop(broker, "held")).as("it is held for a minute").isEmpty();
    clock.advance(Duration.ofSeconds(2));
    assertThat(pop(broker, "held")).containsExactly("held");
    assertThat(settle(broker, Settle.ack(bad.held().handle()))).isEqualTo(Status.STALE_LEASE);
  }

  private void assertRetriedAndDelayed(EmbeddedBroker broker) {
    clock.advance(Duration.ofSeconds(60));
    assertThat(pop(broker, "failed")).containsExactly("failed");
    clock.advance(Duration.ofSeconds(3_600 - 59 - 2 - 60 - 1));
    assertThat(pop(broker, "delayed")).isEmpty();
    clock.advance(Duration.ofSeconds(1));
    assertThat(pop(broker, "delayed")).containsExactly("in an hour");
  }

  private void assertAged(EmbeddedBroker broker, Bad bad) {
    assertThat(pop(broker, "aging")).as("its ttl is over").isEmpty();
    pop(broker, "names");
    // Settled messages, names and tasks are forgotten, and their partitions dropped.
    for (int i = 0; i < 100; i++) {
      clock.advance(Duration.ofMinutes(5));
      broker.dueMs();
    }
    Calls.eventually(
        () -> {
          clock.advance(Duration.ofSeconds(2));
          assertThat(broker.message(MessageRef.id(bad.named())).isOk()).isFalse();
          assertThat(broker.queue("names").orThrow().partitions()).isZero();
        });
    push(broker, to("names", "z").transactionId("n"));
  }

  private void assertNotEarly(EmbeddedBroker broker, Bad bad) {
    clock.advance(Duration.ofMillis(bad.absoluteMs() - clock.wallMs() - 1));
    assertThat(pop(broker, "delayed")).isEmpty();
    clock.advance(Duration.ofMillis(1));
    assertThat(pop(broker, "delayed")).containsExactly(WALL_GIVEN);
  }

  @Test
  void shouldFinishARepairThatWasInterrupted() {
    // given the rows that a repair makes if nothing interrupts it
    long lateMs = clock.wallMs();
    MemoryStore whole = filled();
    TroubledStore counting = new TroubledStore(whole);
    ClockRepair.run(counting, lateMs, 3);
    int batches = counting.written().size();
    Map<String, String> expected = rows(whole);
    assertThat(batches).isGreaterThan(5);

    for (int cut = 1; cut < batches; cut++) {
      // when it is interrupted, and run again later
      MemoryStore store = filled();
      TroubledStore troubled = new TroubledStore(store);
      troubled.failWritesAfter(cut);
      assertThatThrownBy(() -> ClockRepair.run(troubled, lateMs, 3));
      MemoryStore reopened = store.reopen();

      // then no broker opens it before
      assertThatThrownBy(() -> EmbeddedBroker.open(EngineConfig.inMemory(), clock, reopened))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("repair-clock");
      MemoryStore again = reopened.reopen();
      ClockRepair.run(again, lateMs + 7_000_000, 3);
      assertThat(rows(again)).isEqualTo(expected);
    }
  }

  /** The rows of a broker that was years ahead; always the same but for ids of leases. */
  private MemoryStore filled() {
    MemoryStore store = new MemoryStore();
    ManualClock ahead = new ManualClock(ManualClock.START.plus(YEARS));
    try (EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.inMemory(), ahead, store)) {
      push(broker, to("delayed", "in an hour").delayMs(3_600_000));
      push(broker, to("delayed", WALL_GIVEN).visibleAtMs(ahead.wallMs() + 100));
      for (int i = 0; i < 5; i++) {
        push(broker, to("lane", "m" + i).transactionId("n" + i).partition("p" + i % 2));
      }
    }
    return store.reopen();
  }

  private static Map<String, String> rows(MemoryStore store) {
    Map<String, String> all = new TreeMap<>();
    HexFormat hex = HexFormat.of();
    try (Snapshot view = store.snapshot();
        Rows rows = view.scan(Tables.start(Tables.META), Tables.start(Tables.END))) {
      while (rows.next()) {
        all.put(hex.formatHex(rows.key()), hex.formatHex(rows.value()));
      }
    }
    return all;
  }
}
