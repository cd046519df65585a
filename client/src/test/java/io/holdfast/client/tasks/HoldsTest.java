package io.holdfast.client.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.Handle;
import io.holdfast.api.message.Position;
import io.holdfast.api.task.TaskStatus;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HoldsTest {
  private static final UUID ID = UUID.randomUUID();

  private final Holds holds = new Holds();

  private static Hold hold(UUID id, String subscriber, @Nullable String device) {
    return new Hold(
        id,
        UUID.randomUUID(),
        "topic",
        subscriber,
        new Handle("lease", new Position(1, 0, 1)),
        0,
        1,
        device,
        TaskStatus.RECEIVED,
        0);
  }

  @Test
  void shouldFindTheHoldOfADevice() {
    // given
    Hold pump = hold(ID, "pump", "pump-1");
    Hold meter = hold(ID, "meter", "meter-1");
    holds.add(pump);
    holds.add(meter);
    // then
    assertThat(holds.find(ID, "meter-1")).isSameAs(meter);
    assertThat(holds.find(ID, "pump-1")).isSameAs(pump);
    assertThat(holds.find(ID, "stranger")).isNull();
    assertThat(holds.find(UUID.randomUUID(), "pump-1")).isNull();
  }

  @Test
  void shouldGiveANamelessHoldToTheFirstDeviceThatSpeaksOfIt() {
    // given
    Hold nameless = hold(ID, "pump", null);
    holds.add(nameless);
    // then
    assertThat(holds.find(ID, "a")).isSameAs(nameless);
    assertThat(holds.find(ID, "b")).isNull();
    assertThat(holds.find(ID, "a")).isSameAs(nameless);
  }

  @Test
  void shouldReplaceTheHoldOfAnEarlierDelivery() {
    // given
    Hold first = hold(ID, "pump", "pump-1");
    Hold second = hold(ID, "pump", "pump-2");
    holds.add(first);
    // when
    holds.add(second);
    holds.end(first);
    // then
    assertThat(holds.find(ID, "pump-1")).isNull();
    assertThat(holds.find(ID, "pump-2")).isSameAs(second);
    // when
    holds.end(second);
    // then
    assertThat(holds.find(ID, "pump-2")).isNull();
    assertThat(holds.size()).isZero();
  }

  @Test
  void shouldRememberNoMoreThanItMay() {
    // given
    holds.add(hold(ID, "pump", "pump-1"));
    // when
    for (int i = 0; i < Holds.REMEMBERED_MAX; i++) {
      holds.add(hold(new UUID(0, i), "pump", "pump-1"));
    }
    // then
    assertThat(holds.size()).isEqualTo(Holds.REMEMBERED_MAX);
    assertThat(holds.find(ID, "pump-1")).isNull();
    assertThat(holds.find(new UUID(0, 0), "pump-1")).isNotNull();
  }
}
