package io.holdfast.workflow;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How code fits the flows that have not ended.
 *
 * @param counts how many flows there are of each verdict
 * @param troubles flows that the code does not fit, not more than {@link #TROUBLES_MAX}
 */
public record VerifyReport(Map<Verified.Verdict, Long> counts, List<Verified> troubles) {
  /** Most flows that a report names. */
  public static final int TROUBLES_MAX = 1_000;

  public VerifyReport {
    counts = new EnumMap<>(counts);
    troubles = List.copyOf(troubles);
  }

  public long of(Verified.Verdict verdict) {
    return counts.getOrDefault(verdict, 0L);
  }

  /** How many flows were checked. */
  public long total() {
    return counts.values().stream().mapToLong(count -> count).sum();
  }

  /** Whether every flow can go on with this code. */
  public boolean isFine() {
    return of(Verified.Verdict.FINE) == total();
  }
}
