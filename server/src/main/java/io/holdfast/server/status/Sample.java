package io.holdfast.server.status;

import io.holdfast.api.Refusal;
import io.holdfast.api.Stats;
import io.holdfast.server.access.NamePatterns;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the broker was at one time.
 *
 * @param number counts samples, from 1
 * @param nanos when it was taken, by the clock that only counts forward
 * @param refusal why the broker does not answer; null if it does. The rest is then as it last was
 * @param byName all queues, in the order of their names
 */
public record Sample(
    long number,
    long nanos,
    Stats stats,
    @Nullable Refusal refusal,
    Map<String, QueueRow> byName,
    Levels levels,
    Rates rates,
    StoreRates store,
    Machine machine,
    List<Attention> attention) {
  static Map<String, QueueRow> byName(List<QueueRow> rows) {
    Map<String, QueueRow> byName = new LinkedHashMap<>();
    rows.forEach(row -> byName.put(row.name(), row));
    return byName;
  }

  public long timeMs() {
    return stats.nowMs();
  }

  public Collection<QueueRow> rows() {
    return byName.values();
  }

  /** The rows of queues that a caller may see. */
  public Collection<QueueRow> rows(NamePatterns visible) {
    return visible.isAll()
        ? rows()
        : rows().stream().filter(row -> visible.matches(row.name())).toList();
  }
}
