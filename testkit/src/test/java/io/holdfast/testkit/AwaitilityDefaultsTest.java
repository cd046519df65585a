package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.core.EvaluatedCondition;
import org.junit.jupiter.api.Test;

class AwaitilityDefaultsTest {
  @Test
  void shouldLookAtOnceThenSoonThenLessOften() {
    // given
    List<EvaluatedCondition<?>> evaluated = new ArrayList<>();
    // when
    await().conditionEvaluationListener(evaluated::add).until(() -> evaluated.size() == 7);
    // then
    EvaluatedCondition<?> first = evaluated.getFirst();
    assertThat(first.getElapsedTimeInMS() + first.getRemainingTimeInMS())
        .isBetween(WaitLimits.EVENT.toMillis() - 1, WaitLimits.EVENT.toMillis());
    assertThat(evaluated)
        .extracting(EvaluatedCondition::getPollInterval)
        .extracting(Duration::toMillis)
        .containsExactly(0L, 1L, 2L, 4L, 8L, 16L, 30L, 30L);
  }
}
