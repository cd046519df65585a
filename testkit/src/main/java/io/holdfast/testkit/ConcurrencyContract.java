package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Broker;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.testkit.FaultyBroker.Fault;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The contract under concurrency: every answer fits some order in which the calls may have run. */
abstract class ConcurrencyContract extends ContractFixture {
  private static final long SEED = 20_260_101;

  ConcurrencyContract(BrokerContract implementation) {
    super(implementation);
  }

  @Test
  void shouldKeepItsPromisesWhereDeliveryIsOrdered() throws InterruptedException {
    // given
    configure(lenient());
    HistoryChecker checker = new HistoryChecker(clock, HistoryChecker.Order.BLOCK);
    // when
    crowd(new WitnessedBroker(broker, checker));
    // then
    checker.check(Set.of());
  }

  @Test
  void shouldKeepItsPromisesWhereAnOrderedQueueSkips() throws InterruptedException {
    // given
    configure(lenient().set(QueueOption.ON_FAILURE, "skip"));
    HistoryChecker checker = new HistoryChecker(clock, HistoryChecker.Order.SKIP);
    // when
    crowd(new WitnessedBroker(broker, checker));
    // then
    checker.check(Set.of());
  }

  @Test
  void shouldKeepItsPromisesWhereDeliveryIsShared() throws InterruptedException {
    // given
    configure(lenient().set(QueueOption.DELIVERY, "shared"));
    HistoryChecker checker = new HistoryChecker(clock, HistoryChecker.Order.NONE);
    // when
    crowd(new WitnessedBroker(broker, checker));
    // then
    checker.check(Set.of());
  }

  @Test
  void shouldBeCaughtAcceptingAStaleAck() throws InterruptedException {
    assertThat(kindsOf(Fault.ACCEPT_STALE_ACK))
        .containsAnyOf(
            Violation.Kind.STALE_SETTLE,
            Violation.Kind.ACKED_TWICE,
            Violation.Kind.DELIVERED_AFTER_ACK);
  }

  @Test
  void shouldBeCaughtAckingTwice() throws InterruptedException {
    assertThat(kindsOf(Fault.ACK_TWICE)).contains(Violation.Kind.ACKED_TWICE);
  }

  @Test
  void shouldBeCaughtLosingAPush() throws InterruptedException {
    assertThat(kindsOf(Fault.LOSE_PUSH)).contains(Violation.Kind.LOST);
  }

  @Test
  void shouldBeCaughtDeliveringTwice() throws InterruptedException {
    assertThat(kindsOf(Fault.DELIVER_TWICE))
        .containsAnyOf(Violation.Kind.HELD_TWICE, Violation.Kind.DELIVERED_AFTER_ACK);
  }

  private Set<Violation.Kind> kindsOf(Fault fault) throws InterruptedException {
    configure(lenient().set(QueueOption.DELIVERY, "shared"));
    HistoryChecker checker = new HistoryChecker(clock, HistoryChecker.Order.NONE);
    FaultyBroker faulty = new FaultyBroker(broker, fault, 2);
    crowd(new WitnessedBroker(faulty, checker));
    assertThat(faulty.planted()).as("times the fault showed").isPositive();
    return checker.violations(Set.of()).stream().map(Violation::kind).collect(Collectors.toSet());
  }

  private void crowd(Broker witnessed) throws InterruptedException {
    new Crowd(witnessed, clock, QUEUE, SEED).run(16, 48, 25);
  }

  /** Nothing dies, so that all that was pushed must be acked in the end. */
  private static ConfigureRequest lenient() {
    return ConfigureRequest.queue(QUEUE)
        .set(QueueOption.RETRY_LIMIT, 1_000_000)
        .set(QueueOption.RETRY_DELAY_MAX, 2_000)
        .set(QueueOption.DELIVERY_LIMIT, 0);
  }
}
