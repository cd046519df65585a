package io.holdfast.server.http;

import org.jspecify.annotations.Nullable;

/** Is told of every call that was answered; for metrics. */
@FunctionalInterface
public interface Observer {
  /**
   * A call was answered.
   *
   * @param route null if none was found
   */
  void answered(@Nullable Route route, int status, long nanos);

  /** Parameters or fields of a call were ignored. */
  default void ignored(Route route, int names) {}
}
