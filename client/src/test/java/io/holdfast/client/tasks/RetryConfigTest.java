package io.holdfast.client.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryConfigTest {
  @Test
  void shouldDefaultToThreeRetriesFromOneSecondToThirty() {
    assertThat(RetryConfig.DEFAULTS)
        .isEqualTo(new RetryConfig(3, Duration.ofSeconds(1), Duration.ofSeconds(30), 2.0));
    assertThat(TaskBrokerConfig.DEFAULTS.retry()).isEqualTo(RetryConfig.DEFAULTS);
    assertThat(TaskBrokerConfig.DEFAULTS.dlqEnabled()).isTrue();
  }

  @Test
  void shouldDoubleTheBackoffUpToItsMost() {
    assertThat(
            IntStream.rangeClosed(0, 8)
                .mapToLong(failures -> RetryConfig.DEFAULTS.backoff(failures).toSeconds()))
        .containsExactly(0L, 1L, 2L, 4L, 8L, 16L, 30L, 30L, 30L);
  }

  @Test
  void shouldNotOverflowHoweverOftenSomethingFailed() {
    assertThat(RetryConfig.DEFAULTS.backoff(1_000_000)).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void shouldRefuseAFractionalFactorPlainly() {
    assertThatThrownBy(() -> RetryConfig.DEFAULTS.factor(1.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "factor: expected a whole number from 1 to 100, because the broker keeps it as one, but"
                + " got 1.5");
    assertThatThrownBy(() -> RetryConfig.DEFAULTS.factor(Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(RetryConfig.DEFAULTS.factor(1).backoff(5)).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void shouldRefuseWhatTheBrokerCannotKeep() {
    assertThatThrownBy(() -> RetryConfig.DEFAULTS.maxRetries(-1))
        .hasMessageContaining("maxRetries");
    assertThatThrownBy(() -> RetryConfig.DEFAULTS.initialBackoff(Duration.ofDays(2)))
        .hasMessageContaining("initialBackoff");
    assertThatThrownBy(() -> RetryConfig.DEFAULTS.maxBackoff(Duration.ofSeconds(-1)))
        .hasMessageContaining("maxBackoff");
    assertThatThrownBy(() -> TaskBrokerConfig.DEFAULTS.ackTimeout(Duration.ZERO))
        .hasMessageContaining("ackTimeout");
    assertThatThrownBy(() -> TaskBrokerConfig.DEFAULTS.priorities(0))
        .hasMessageContaining("priorities");
    assertThatThrownBy(() -> TaskBrokerConfig.DEFAULTS.priorities(257))
        .hasMessageContaining("priorities");
    assertThatThrownBy(() -> TaskBrokerConfig.DEFAULTS.keepStates(Duration.ofSeconds(-1)))
        .hasMessageContaining("keepStates");
    assertThatThrownBy(() -> TaskBrokerConfig.DEFAULTS.namespace(""))
        .hasMessageContaining("namespace");
  }
}
