package io.holdfast.engine.query;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.lease.LeasesRequest;

/** A place in the list of leases, which goes by their ends; one that is extended moves on. */
public record LeasePlace(long untilMs, long id) {
  private static final LeasePlace BEFORE_ALL = new LeasePlace(0, Long.MIN_VALUE);

  /**
   * The place behind which a page begins.
   *
   * @throws InvalidArgumentException if the request names none that we could have told
   */
  public static LeasePlace of(LeasesRequest request) {
    String after = request.after();
    if (after == null) {
      return BEFORE_ALL;
    }
    int border = after.indexOf('.');
    try {
      return new LeasePlace(
          Long.parseLong(after.substring(0, Math.max(0, border))),
          Long.parseLong(after.substring(border + 1)));
    } catch (NumberFormatException notOurs) {
      throw new InvalidArgumentException(
          "after: expected the next of an earlier page, but got something else", notOurs);
    }
  }

  String text() {
    return untilMs + "." + id;
  }
}
