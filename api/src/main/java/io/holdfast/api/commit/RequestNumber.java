package io.holdfast.api.commit;

import io.holdfast.api.Broker;
import io.holdfast.api.Check;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;

/**
 * Identifies a request within a producer session, so that a repeat of it is not executed again.
 *
 * <p>A session has slots. A client uses a slot for one request at a time, and numbers the requests
 * of each slot in ascending order. The broker keeps the answer to the last request of each slot: a
 * repeat of it gets that answer, and an older number is refused with {@link
 * ErrorCode#REQUEST_FORGOTTEN}.
 *
 * @param session the id that {@link Broker#openSession} returned
 * @param slot the slot, from 0
 * @param sequence the number of the request in its slot, from 1; the same for every repeat
 */
public record RequestNumber(String session, int slot, long sequence) {
  public RequestNumber {
    Check.name("session", session);
    Check.within("slot", slot, 0, Limits.SESSION_SLOTS_MAX - 1);
    Check.within("sequence", sequence, 1, Long.MAX_VALUE);
  }
}
