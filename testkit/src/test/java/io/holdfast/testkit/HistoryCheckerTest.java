package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.message.Position;
import io.holdfast.testkit.HistoryChecker.Call;
import io.holdfast.testkit.HistoryChecker.Order;
import io.holdfast.testkit.Violation.Kind;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests of the judge, with made-up histories. */
class HistoryCheckerTest {
  private static final String GROUP = "g";
  private static final UUID M1 = new UUID(0, 1);
  private static final UUID M2 = new UUID(0, 2);

  private final ManualClock clock = new ManualClock();
  private HistoryChecker checker = new HistoryChecker(clock, Order.BLOCK);

  @Test
  void shouldPassACleanHistory() {
    // given
    push(M1);
    push(M2);
    grant("L1", M1, 1);
    settle("L1", M1, Status.ACKED);
    settle("L1", M1, Status.ALREADY_SETTLED);
    grant("L2", M2, 2);
    settle("L2", M2, Status.RETRYING);
    grant("L3", M2, 2);
    settle("L2", M2, Status.STALE_LEASE);
    settle("L3", M2, Status.ACKED);
    // then
    assertThatCode(() -> checker.check(Set.of())).doesNotThrowAnyException();
  }

  @Test
  void shouldPassALeaseThatExpired() {
    // given
    push(M1);
    grant("L1", M1, 1);
    clock.advance(Duration.ofSeconds(30));
    grant("L2", M1, 1);
    settle("L1", M1, Status.STALE_LEASE);
    settle("L2", M1, Status.ACKED);
    // then
    checker.check(Set.of());
  }

  @Test
  void shouldCatchAStaleAckThatIsAccepted() {
    // given
    push(M1);
    grant("L1", M1, 1);
    clock.advance(Duration.ofSeconds(30));
    grant("L2", M1, 1);
    settle("L1", M1, Status.ACKED);
    // then
    assertCaught(Kind.STALE_SETTLE);
  }

  @Test
  void shouldCatchAStaleAckOfAWholeLease() {
    // given
    push(M1);
    grant("L1", M1, 1);
    clock.advance(Duration.ofSeconds(30));
    grant("L2", M1, 1);
    checker.begin().settledLease("L1", Status.ACKED);
    // then
    assertCaught(Kind.STALE_SETTLE);
  }

  @Test
  void shouldCatchAnAckByALeaseThatNeverHeldTheMessage() {
    // given
    push(M1);
    grant("L1", M1, 1);
    settle("L9", M1, Status.ACKED);
    // then
    assertCaught(Kind.STALE_SETTLE);
  }

  @Test
  void shouldCatchAnAckThatOverlapsTheNextGrant() {
    // given: it was stale, or the grant came after an ack
    push(M1);
    grant("L1", M1, 1);
    Call ack = checker.begin();
    clock.advance(Duration.ofSeconds(30));
    Call pop = checker.begin();
    ack.settled(GROUP, M1, "L1", Status.ACKED);
    granted(pop, "L2", M1, 1);
    // then
    assertCaught(Kind.STALE_SETTLE, M1);
  }

  @Test
  void shouldNotBlameAReleaseThatOverlapsTheNextGrant() {
    // given: the release may be what let the second grant happen
    push(M1);
    grant("L1", M1, 1);
    Call ack = checker.begin();
    clock.advance(Duration.ofSeconds(30));
    Call pop = checker.begin();
    ack.settled(GROUP, M1, "L1", Status.RELEASED);
    granted(pop, "L2", M1, 1);
    settle("L2", M1, Status.ACKED);
    // then
    checker.check(Set.of());
  }

  @Test
  void shouldCatchAMessageAckedTwice() {
    // given
    push(M1);
    grant("L1", M1, 1);
    settle("L1", M1, Status.ACKED);
    settle("L1", M1, Status.ACKED);
    // then
    assertCaught(Kind.ACKED_TWICE);
  }

  @Test
  void shouldCatchAMessageAckedTwiceByOverlappingCalls() {
    // given
    push(M1);
    grant("L1", M1, 1);
    Call one = checker.begin();
    Call other = checker.begin();
    one.settled(GROUP, M1, "L1", Status.ACKED);
    other.settled(GROUP, M1, null, Status.ACKED);
    // then
    assertCaught(Kind.ACKED_TWICE);
  }

  @Test
  void shouldCatchADeliveryAfterTheAck() {
    // given
    push(M1);
    grant("L1", M1, 1);
    settle("L1", M1, Status.ACKED);
    grant("L2", M1, 1);
    // then
    assertCaught(Kind.DELIVERED_AFTER_ACK);
  }

  @Test
  void shouldAllowADeliveryAfterASeek() {
    // given
    push(M1);
    grant("L1", M1, 1);
    settle("L1", M1, Status.ACKED);
    checker.begin().replayed(GROUP, null);
    grant("L2", M1, 1);
    settle("L2", M1, Status.ACKED);
    // then
    checker.check(Set.of());
  }

  @Test
  void shouldCatchALostMessage() {
    // given
    push(M1);
    push(M2);
    grant("L1", M1, 1);
    settle("L1", M1, Status.ACKED);
    // then
    assertCaught(Kind.LOST);
    assertThat(checker.violations(Set.of(M2))).isEmpty();
  }

  @Test
  void shouldCatchAMessageLostAfterItsDelivery() {
    // given
    push(M1);
    grant("L1", M1, 1);
    settle("L1", M1, Status.RETRYING);
    // then
    assertCaught(Kind.LOST);
  }

  @Test
  void shouldAllowASettleThatWasNotAnswered() {
    // given
    push(M1);
    grant("L1", M1, 1);
    checker.begin().settleUnanswered(GROUP, M1, "L1");
    // then
    checker.check(Set.of());
  }

  @Test
  void shouldCatchAMessageThatNobodyPushed() {
    // given
    grant("L1", M1, 1);
    settle("L1", M1, Status.ACKED);
    // then
    assertCaught(Kind.NEVER_PUSHED);
  }

  @Test
  void shouldAllowAMessageWhosePushWasNotAnswered() {
    // given
    checker.begin().pushUnanswered(1);
    grant("L1", M1, 1);
    settle("L1", M1, Status.ACKED);
    // then
    checker.check(Set.of());
  }

  @Test
  void shouldCatchAMessageHeldByTwoLeases() {
    // given
    push(M1);
    grant("L1", M1, 1);
    grant("L2", M1, 1);
    // then
    assertCaught(Kind.HELD_TWICE, M1);
  }

  @Test
  void shouldCatchAMessageHeldByTwoLeasesOfOverlappingPops() {
    // given
    push(M1);
    Call one = checker.begin();
    Call other = checker.begin();
    granted(one, "L1", M1, 1);
    granted(other, "L2", M1, 1);
    // then
    assertCaught(Kind.HELD_TWICE, M1);
  }

  @Test
  void shouldKnowThatAnExtendedLeaseHasNotExpired() {
    // given
    push(M1);
    grant("L1", M1, 1);
    checker.begin().extended("L1", clock.wallMs() + 60_000);
    clock.advance(Duration.ofSeconds(30));
    grant("L2", M1, 1);
    // then
    assertCaught(Kind.HELD_TWICE, M1);
  }

  @Test
  void shouldAllowLeasesToBeForgottenInACrash() {
    // given
    push(M1);
    grant("L1", M1, 1);
    checker.begin().crashed();
    grant("L2", M1, 1);
    settle("L1", M1, Status.STALE_LEASE);
    settle("L2", M1, Status.ACKED);
    // then
    checker.check(Set.of());
  }

  @Test
  void shouldCatchABrokenOrder() {
    // given
    push(M1);
    push(M2);
    grant("L2", M2, 2);
    settle("L2", M2, Status.ACKED);
    grant("L1", M1, 1);
    settle("L1", M1, Status.ACKED);
    // then
    assertCaught(Kind.OUT_OF_ORDER);
  }

  @Test
  void shouldCatchABrokenOrderInOneAnswer() {
    // given
    push(M1);
    push(M2);
    Call pop = checker.begin();
    pop.granted(GROUP, M2, new Position(1, 0, 2), "L1", clock.wallMs() + 30_000, 0);
    pop.granted(GROUP, M1, new Position(1, 0, 1), "L1", clock.wallMs() + 30_000, 1);
    checker.begin().settledLease("L1", Status.ACKED);
    // then
    assertCaught(Kind.OUT_OF_ORDER);
  }

  @Test
  void shouldCatchAMessageThatOvertakesOneThatCameBack() {
    // given
    push(M1);
    push(M2);
    grant("L1", M1, 1);
    settle("L1", M1, Status.RETRYING);
    grant("L2", M2, 2);
    settle("L2", M2, Status.ACKED);
    grant("L3", M1, 1);
    settle("L3", M1, Status.ACKED);
    // then
    assertCaught(Kind.OUT_OF_ORDER);
  }

  @Test
  void shouldAllowOvertakingWhereTheQueueSkips() {
    // given
    checker = new HistoryChecker(clock, Order.SKIP);
    push(M1);
    push(M2);
    grant("L1", M1, 1);
    settle("L1", M1, Status.RETRYING);
    grant("L2", M2, 2);
    settle("L2", M2, Status.ACKED);
    grant("L3", M1, 1);
    settle("L3", M1, Status.ACKED);
    // then
    checker.check(Set.of());
  }

  @Test
  void shouldAllowTheRestOfALeaseToBeAckedBeforeARetry() {
    // given
    push(M1);
    push(M2);
    Call pop = checker.begin();
    pop.granted(GROUP, M1, new Position(1, 0, 1), "L1", clock.wallMs() + 30_000, 0);
    pop.granted(GROUP, M2, new Position(1, 0, 2), "L1", clock.wallMs() + 30_000, 1);
    settle("L1", M1, Status.RETRYING);
    settle("L1", M2, Status.ACKED);
    grant("L2", M1, 1);
    settle("L2", M1, Status.ACKED);
    // then
    checker.check(Set.of());
  }

  @Test
  void shouldCatchALiveLeaseThatIsRefused() {
    // given
    push(M1);
    grant("L1", M1, 1);
    settle("L1", M1, Status.STALE_LEASE);
    // then
    assertCaught(Kind.REFUSED_WITHOUT_CAUSE, M1);
  }

  @Test
  void shouldSayWhatIsWrong() {
    // given
    push(M1);
    // then
    assertThatThrownBy(() -> checker.check(Set.of()))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("LOST")
        .hasMessageContaining(M1.toString());
  }

  private void push(UUID id) {
    checker.begin().pushed(id);
  }

  private void grant(String lease, UUID id, long seq) {
    granted(checker.begin(), lease, id, seq);
  }

  private void granted(Call call, String lease, UUID id, long seq) {
    call.granted(GROUP, id, new Position(1, 0, seq), lease, clock.wallMs() + 30_000, 0);
  }

  private void settle(String lease, UUID id, Status status) {
    checker.begin().settled(GROUP, id, lease, status);
  }

  /** Other rules may see the same fault from their side. */
  private void assertCaught(Kind kind, UUID... remaining) {
    assertThat(checker.violations(Set.of(remaining))).extracting(Violation::kind).contains(kind);
  }
}
