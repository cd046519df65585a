package io.holdfast.api.commit;

import io.holdfast.api.Check;
import io.holdfast.api.Limits;

/**
 * Which record to read.
 *
 * @param newerThan wait until its version is greater than this; -1 for no waiting
 * @param waitMs how long to wait for that
 */
public record RecordRequest(String key, long newerThan, long waitMs) {
  public RecordRequest {
    Check.key("key", key);
    Check.within("newerThan", newerThan, -1, Long.MAX_VALUE);
    Check.within("waitMs", waitMs, 0, Limits.WAIT_MS_MAX);
  }

  public static RecordRequest of(String key) {
    return new RecordRequest(key, -1, 0);
  }
}
