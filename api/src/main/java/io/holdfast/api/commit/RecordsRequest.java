package io.holdfast.api.commit;

import io.holdfast.api.Check;
import io.holdfast.api.Limits;
import org.jspecify.annotations.Nullable;

/** Which records to list, by key. */
public record RecordsRequest(String prefix, @Nullable String after, int limit) {
  public RecordsRequest {
    Check.present("prefix", prefix);
    Check.within("limit", limit, 1, Limits.PAGE_MAX);
  }
}
