package io.holdfast.server.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Stats;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueLoad;
import io.holdfast.api.queue.QueueOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A day is kept, and no more; the busiest queues have series, and no others. */
class HistoryTest {
  private static final long BEGUN_MS = 1_800_000_000_000L;
  private static final Machine MACHINE = new Machine(0, 0, 0, 0, 0, 0);

  private static QueueRow row(String name, long pushed, double rate) {
    return new QueueRow(
        new QueueInfo(
            name,
            1,
            QueueOptions.of(Map.of()),
            0,
            false,
            1,
            0,
            new Counts(pushed, pushed, 0, 0, 0, 0, 0)),
        new QueueLoad(name, pushed, 0, pushed, 0, 0, 0, 0),
        new Rates(rate, 0, 0, 0));
  }

  private static Sample sample(long afterMs, long pushed, List<QueueRow> rows) {
    Stats.Totals totals = new Stats.Totals(pushed, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    Stats stats =
        new Stats(
            "os",
            BEGUN_MS,
            BEGUN_MS + afterMs,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            totals,
            0,
            0,
            0,
            0);
    return new Sample(
        1,
        afterMs * 1_000_000,
        stats,
        null,
        Sample.byName(rows),
        Levels.of(rows),
        Rates.NONE,
        StoreRates.NONE,
        MACHINE,
        List.of());
  }

  @Test
  void shouldForgetWhatIsOlderThanADay() {
    // given
    History history = new History();
    int steps = 2 * 8_640;
    for (int i = 0; i <= steps; i++) {
      history.add(sample(i * 10_000L, i * 10L, List.of()));
    }
    long nowMs = BEGUN_MS + steps * 10_000L;
    // when
    Series all = history.whole(BEGUN_MS, nowMs, 10_000);
    // then
    assertThat(all.points()).hasSize(8_640);
    assertThat(all.points().getFirst().timeMs()).isEqualTo(nowMs - 24 * 3_600_000L);
    assertThat(all.points()).allMatch(point -> point.value(Series.Field.PUSH) == 1);
    assertThat(history.whole(BEGUN_MS, nowMs, 300).points()).hasSizeLessThanOrEqualTo(301);
  }

  @Test
  void shouldLeaveOutTimesThatWereNotSeen() {
    // given
    History history = new History();
    history.add(sample(0, 0, List.of()));
    history.add(sample(10_000, 10, List.of()));
    history.add(sample(60_000, 60, List.of()));
    // when
    Series series = history.whole(BEGUN_MS, BEGUN_MS + 60_000, 10);
    // then
    assertThat(series.points())
        .extracting(Series.Point::timeMs)
        .containsExactly(BEGUN_MS, BEGUN_MS + 50_000);
    assertThat(series.points()).allMatch(point -> point.value(Series.Field.PUSH) == 1);
  }

  @Test
  void shouldKeepTheBusiestQueues() {
    // given
    History history = new History();
    List<QueueRow> rows = new ArrayList<>();
    for (int i = 0; i < History.QUEUES_MAX + 100; i++) {
      rows.add(row("q" + i, 1, i + 1));
    }
    history.add(sample(0, 0, rows));
    assertThat(history.busiest())
        .hasSize(History.QUEUES_MAX)
        .contains("q599", "q100")
        .doesNotContain("q99");
    // when
    rows.set(0, row("q0", 1_000, 5_000));
    history.add(sample(60_000, 0, rows));
    // then
    assertThat(history.busiest()).hasSize(History.QUEUES_MAX).contains("q0").doesNotContain("q100");
  }

  @Test
  void shouldForgetQueuesThatAreGone() {
    // given
    History history = new History();
    history.add(sample(0, 0, List.of(row("a", 1, 1), row("b", 1, 1))));
    // when
    history.add(sample(60_000, 0, List.of(row("b", 1, 1))));
    // then
    assertThat(history.busiest()).containsExactly("b");
  }

  @Test
  void shouldTellNoRateOfACounterThatBeganAnew() {
    // given
    History history = new History();
    history.add(sample(0, 1_000, List.of(row("a", 1_000, 1))));
    // when
    history.add(sample(60_000, 5, List.of(row("a", 5, 1))));
    // then
    Series whole = history.whole(BEGUN_MS, BEGUN_MS + 60_000, 10);
    assertThat(whole.points()).allMatch(point -> point.value(Series.Field.PUSH) == 0);
    Series queue = history.ofQueue("a", BEGUN_MS, BEGUN_MS + 60_000, 10);
    assertThat(queue).isNotNull();
    assertThat(queue.points()).allMatch(point -> point.value(Series.Field.PUSH) == 0);
  }
}
