package io.holdfast.server.status;

import io.holdfast.api.Refusal;
import io.holdfast.api.Stats;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How the broker was at one time.
 *
 * @param number counts samples, from 1
 * @param nanos when it was taken, by the clock that only counts forward
 * @param refusal why the broker does not answer; null if it does. The rest is then as it last was
 * @param rows all queues, by name
 */
public record Sample(
    long number,
    long nanos,
    Stats stats,
    @Nullable Refusal refusal,
    List<QueueRow> rows,
    Map<String, QueueRow> byName,
    Levels levels,
    Rates rates,
    StoreRates store,
    Machine machine,
    List<Attention> attention) {
  static Map<String, QueueRow> byName(List<QueueRow> rows) {
    return rows.stream().collect(Collectors.toMap(QueueRow::name, Function.identity()));
  }

  public long timeMs() {
    return stats.nowMs();
  }

  /** The rows of queues that a caller may see. */
  public List<QueueRow> rows(VisibleQueues visible) {
    return visible.isAll()
        ? rows
        : rows.stream().filter(row -> visible.covers(row.name())).toList();
  }
}
