package io.holdfast.server.metrics;

import io.holdfast.server.access.BadTokens;
import io.holdfast.server.metrics.Families.Point;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;

/** Tells of callers who were not let in. */
final class AccessCollector implements MultiCollector {
  private final BadTokens badTokens;

  AccessCollector(BadTokens badTokens) {
    this.badTokens = badTokens;
  }

  @Override
  public MetricSnapshots collect() {
    Families families = new Families();
    families.counter(
        "holdfast_bad_tokens",
        "Tokens that were unknown, malformed, expired or revoked.",
        List.of(Point.of(badTokens.refused())));
    return families.done();
  }
}
