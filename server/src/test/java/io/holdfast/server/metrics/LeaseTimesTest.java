package io.holdfast.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The times of leases take bounded memory, however many there are. */
class LeaseTimesTest {
  private final QueueCounts.Counts queue = new QueueCounts.Counts();
  private final LeaseTimes leases = new LeaseTimes(0);

  @Test
  void shouldForgetALeaseWhenAllOfItIsSettled() {
    // given
    leases.granted("a", 5, queue, 3);
    LeaseTimes.Granted granted = leases.get("a");
    assertThat(granted).isNotNull();
    assertThat(granted.grantedMs).isEqualTo(5);
    // when
    leases.settled("a", granted, 2);
    assertThat(leases.get("a")).isSameAs(granted);
    leases.settled("a", granted, 1);
    // then
    assertThat(leases.get("a")).isNull();
  }

  @Test
  void shouldRememberALeaseThatMessagesJoined() {
    // given
    leases.granted("a", 5, queue, 1);
    leases.granted("a", 9, queue, 1);
    LeaseTimes.Granted granted = leases.get("a");
    assertThat(granted).isNotNull();
    assertThat(granted.grantedMs).isEqualTo(9);
    // when
    leases.settled("a", granted, 1);
    // then
    assertThat(leases.get("a")).isNotNull();
  }

  @Test
  void shouldBoundTheirNumber() {
    for (int i = 0; i < 5 * LeaseTimes.GENERATION_MAX; i++) {
      leases.granted("lease" + i, 5, queue, 1);
      assertThat(leases.size()).isLessThanOrEqualTo(2 * LeaseTimes.GENERATION_MAX);
    }
    assertThat(leases.get("lease0")).isNull();
    assertThat(leases.get("lease" + (5 * LeaseTimes.GENERATION_MAX - 1))).isNotNull();
  }

  @Test
  void shouldBoundTheirAge() {
    // given
    leases.granted("a", 0, queue, 1);
    // when
    leases.granted("b", LeaseTimes.GENERATION_MS, queue, 1);
    assertThat(leases.get("a")).isNotNull();
    leases.granted("c", 2 * LeaseTimes.GENERATION_MS, queue, 1);
    // then
    assertThat(leases.get("a")).isNull();
    assertThat(leases.get("b")).isNotNull();
  }
}
