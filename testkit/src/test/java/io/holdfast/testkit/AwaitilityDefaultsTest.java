package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.core.EvaluatedCondition;
import org.junit.jupiter.api.Test;

class AwaitilityDefaultsTest {
  @Test
  void shouldSetTheDefaultTimeout() {
    // given
    AtomicReference<EvaluatedCondition<?>> evaluated = new AtomicReference<>();
    // when
    await().conditionEvaluationListener(evaluated::set).until(() -> true);
    // then
    EvaluatedCondition<?> condition = evaluated.get();
    assertThat(condition).isNotNull();
    assertThat(condition.getElapsedTimeInMS() + condition.getRemainingTimeInMS())
        .isBetween(WaitLimits.EVENT.toMillis() - 1, WaitLimits.EVENT.toMillis());
  }
}
