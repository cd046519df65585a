package io.holdfast.api.commit;

import io.holdfast.api.Check;
import io.holdfast.api.Limits;

/** Which events of a journal to read. */
public record JournalRequest(String journal, long from, int limit) {
  public JournalRequest {
    Check.key("journal", journal);
    Check.notNegative("from", from);
    Check.within("limit", limit, 1, Limits.PAGE_MAX);
  }
}
