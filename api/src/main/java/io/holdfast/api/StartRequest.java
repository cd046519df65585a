package io.holdfast.api;

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
