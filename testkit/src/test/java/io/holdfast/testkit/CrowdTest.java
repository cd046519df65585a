package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Broker;
import io.holdfast.testkit.FaultyBroker.Fault;
import io.holdfast.testkit.Violation.Kind;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that the judge of a crowd finds planted faults, and finds none where there are none. */
@Tag("slow")
class CrowdTest {
  private final ManualClock clock = new ManualClock();
  private final HistoryChecker checker = new HistoryChecker(clock, HistoryChecker.Order.NONE);

  @Test
  void shouldFindNoFaultWithAnHonestBroker() throws InterruptedException {
    for (int seed = 0; seed < 20; seed++) {
      // given
      ManualClock time = new ManualClock();
      HistoryChecker judge = new HistoryChecker(time, HistoryChecker.Order.NONE);
      // when
      new Crowd(new WitnessedBroker(new ToyBroker(time), judge), time, "q", seed).run(16, 48, 25);
      // then
      judge.check(Set.of());
    }
  }

  @Test
  void shouldCatchAStaleAckThatIsAccepted() throws InterruptedException {
    assertThat(kindsOf(Fault.ACCEPT_STALE_ACK))
        .containsAnyOf(Kind.STALE_SETTLE, Kind.ACKED_TWICE, Kind.DELIVERED_AFTER_ACK);
  }

  @Test
  void shouldCatchAnAckThatIsAcceptedTwice() throws InterruptedException {
    assertThat(kindsOf(Fault.ACK_TWICE)).contains(Kind.ACKED_TWICE);
  }

  @Test
  void shouldCatchALostPush() throws InterruptedException {
    assertThat(kindsOf(Fault.LOSE_PUSH)).contains(Kind.LOST);
  }

  @Test
  void shouldCatchADoubleDelivery() throws InterruptedException {
    assertThat(kindsOf(Fault.DELIVER_TWICE))
        .containsAnyOf(Kind.HELD_TWICE, Kind.DELIVERED_AFTER_ACK);
  }

  private Set<Kind> kindsOf(Fault fault) throws InterruptedException {
    FaultyBroker faulty = new FaultyBroker(new ToyBroker(clock), fault, 2);
    Broker witnessed = new WitnessedBroker(faulty, checker);
    new Crowd(witnessed, clock, "q", 1).run(16, 48, 25);
    assertThat(faulty.planted()).isPositive();
    return checker.violations(Set.of()).stream().map(Violation::kind).collect(Collectors.toSet());
  }
}
