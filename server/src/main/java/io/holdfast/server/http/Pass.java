package io.holdfast.server.http;

import java.util.function.Supplier;

/** What a caller was let in with. */
public interface Pass {
  /** Does something in the name of the caller. */
  <T> T as(Supplier<T> act);

  /** Whether the caller would still be let in. */
  boolean isGood();
}
