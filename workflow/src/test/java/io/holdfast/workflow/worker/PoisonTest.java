package io.holdfast.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.workflow.message.TurnMessage;
import org.junit.jupiter.api.Test;

class PoisonTest {
  @Test
  void shouldNameTheActivityInWhichWorkersDied() {
    assertThat(Poison.words(new TurnMessage.Poison(1, 2, "pack", 3, "i")))
        .isEqualTo("3 workers died while they did activity 'pack' (event 2).");
  }
}
