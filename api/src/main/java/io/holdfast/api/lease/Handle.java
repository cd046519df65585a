package io.holdfast.api.lease;

import io.holdfast.api.Check;
import io.holdfast.api.message.Position;

/** What a settle names: one message as held by one lease. */
public record Handle(String leaseId, Position position) {
  public Handle {
    Check.name("leaseId", leaseId);
    Check.present("position", position);
  }
}
