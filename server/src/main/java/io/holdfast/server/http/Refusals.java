package io.holdfast.server.http;

import io.holdfast.api.Result;

/** Turns what the broker refused into what the client is told. */
public final class Refusals {
  private Refusals() {}

  public static <T> T orThrow(Result<T> result) {
    if (result instanceof Result.Ok<T> ok) {
      return ok.value();
    }
    throw Problem.refused(result.refusal());
  }
}
