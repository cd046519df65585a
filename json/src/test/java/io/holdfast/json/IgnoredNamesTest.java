package io.holdfast.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Unknown names are ignored, but not those that are probably typing errors. */
class IgnoredNamesTest {
  @ParameterizedTest
  @CsvSource({
    "batch, batch",
    "Batch, batch",
    "bach, batch",
    "batchs, batch",
    "batcj, batch",
    "abtch, batch",
    "bacth, batch",
    "leaseid, leaseId",
    "t, to",
    "x, ''",
  })
  void shouldFindTypingErrors(String name, String known) {
    assertThat(IgnoredNames.isNear(name, known)).isTrue();
    assertThat(IgnoredNames.isNear(known, name)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "autopilot, autoAck",
    "bahc, batch",
    "lease, leaseId",
    "tabch, batch",
    "conflation, ''",
    "stats, status2",
    "namespace, task",
  })
  void shouldKeepOtherNamesApart(String name, String known) {
    assertThat(IgnoredNames.isNear(name, known)).isFalse();
    assertThat(IgnoredNames.isNear(known, name)).isFalse();
  }

  @Test
  void shouldTakeOnlySoManyNames() {
    IgnoredNames names = new IgnoredNames();
    for (int i = 0; i < 20; i++) {
      assertThat(names.take("items[].name" + i, List.of("queue"))).isTrue();
    }
    assertThat(names.take("more", List.of("queue"))).isFalse();
    assertThat(names.size()).isEqualTo(20);
  }

  @Test
  void shouldShowNamesAsAHeaderMayHaveThem() {
    IgnoredNames names = new IgnoredNames();
    names.take("a.b\r\nX: y", List.of());
    names.take("long" + "x".repeat(100), List.of());
    assertThat(names).hasToString("a.b??X??y, long" + "x".repeat(56));
  }
}
