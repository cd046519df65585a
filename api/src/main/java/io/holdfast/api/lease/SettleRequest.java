package io.holdfast.api.lease;

import io.holdfast.api.Check;
import io.holdfast.api.Limits;
import java.util.List;

/**
 * Messages to settle.
 *
 * @param atomic all or none; otherwise each gets its own verdict
 */
public record SettleRequest(List<Settle> settles, boolean atomic) {
  public SettleRequest {
    settles = Check.notEmpty("settles", settles);
    Check.within("settles", settles.size(), 1, Limits.OPERATIONS_MAX);
  }

  public static SettleRequest of(Settle... settles) {
    return new SettleRequest(List.of(settles), false);
  }

  public static SettleRequest of(List<Settle> settles) {
    return new SettleRequest(settles, false);
  }

  public static SettleRequest atomic(List<Settle> settles) {
    return new SettleRequest(settles, true);
  }
}
