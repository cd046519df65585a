package io.holdfast.api.task;

import io.holdfast.api.Check;
import io.holdfast.api.lease.Handle;
import org.jspecify.annotations.Nullable;

/** Says that a worker has begun on a leased task. */
public record StartRequest(Handle handle, @Nullable String worker) {
  public StartRequest {
    Check.present("handle", handle);
    if (worker != null) {
      Check.name("worker", worker);
    }
  }
}
