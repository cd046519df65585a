package io.holdfast.server.status;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How many may listen, and for whom. */
class ListenersTest {
  private final Listeners listeners = new Listeners();

  private void fill(String who) {
    for (int i = 0; i < Listeners.EACH_MAX; i++) {
      assertThat(listeners.join(who)).isTrue();
    }
  }

  @Test
  void shouldLeavePlacesForOthers() {
    fill("a");
    assertThat(listeners.join("a")).isFalse();
    assertThat(listeners.join("b")).isTrue();
    listeners.leave("a");
    assertThat(listeners.join("a")).isTrue();
    assertThat(listeners.join("a")).isFalse();
    assertThat(listeners.count()).isEqualTo(Listeners.EACH_MAX + 1);
  }

  @Test
  void shouldTakeOnlySoManyInAll() {
    for (int i = 0; i < Listeners.MAX / Listeners.EACH_MAX; i++) {
      fill("t" + i);
    }
    assertThat(listeners.join("one more")).isFalse();
    listeners.leave("t3");
    assertThat(listeners.join("one more")).isTrue();
    assertThat(listeners.count()).isEqualTo(Listeners.MAX);
  }
}
