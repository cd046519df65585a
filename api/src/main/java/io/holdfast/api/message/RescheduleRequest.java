package io.holdfast.api.message;

import io.holdfast.api.Check;
import io.holdfast.api.Limits;

/**
 * Makes a message visible at another time, in whatever state it is; a leased one leaves its lease.
 */
public record RescheduleRequest(MessageRef message, long visibleAtMs) {
  public RescheduleRequest {
    Check.present("message", message);
    Check.within("visibleAtMs", visibleAtMs, 0, 100 * Limits.DURATION_MS_MAX);
  }
}
