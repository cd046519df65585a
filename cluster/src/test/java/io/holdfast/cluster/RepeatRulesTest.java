package io.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.wire.Verbs;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RepeatRulesTest {
  private static final Settle FENCED = Settle.ackAll("lease");
  private static final Settle UNFENCED =
      Settle.unfenced("group", new UUID(1, 2), Settle.Outcome.NACK, "failed");

  @Test
  void shouldRepeatOnlySettlesThatNameALease() {
    assertThat(RepeatRules.isHarmless(Verbs.SETTLE, SettleRequest.of(FENCED))).isTrue();
    assertThat(RepeatRules.isHarmless(Verbs.SETTLE, SettleRequest.of(FENCED, UNFENCED))).isFalse();
  }

  @Test
  void shouldNumberTheTriesOfAPop() {
    PopRequest pop = PopRequest.queue("q").attemptId("pop~1000");
    assertThat(RepeatRules.withTry(pop, 2).attemptId()).isEqualTo("pop~1002");
    assertThat(RepeatRules.withTry(pop.attemptId("own"), 2).attemptId()).isEqualTo("own");
  }

  @Test
  void shouldNotRepeatAPopWithASettleThatCouldHitALaterDelivery() {
    PopRequest pop = PopRequest.queue("q").attemptId("attempt");
    assertThat(RepeatRules.isHarmless(Verbs.POP, pop.settles(List.of(FENCED)))).isTrue();
    assertThat(RepeatRules.isHarmless(Verbs.POP, pop.settles(List.of(FENCED, UNFENCED)))).isFalse();
  }
}
