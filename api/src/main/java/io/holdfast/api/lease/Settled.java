package io.holdfast.api.lease;

import java.util.List;

/** The verdicts of a settle request, in its order. */
public record Settled(List<SettleVerdict> verdicts) {
  public Settled {
    verdicts = List.copyOf(verdicts);
  }

  /** Whether every settle applied. */
  public boolean allApplied() {
    return verdicts.stream().allMatch(SettleVerdict::applied);
  }
}
