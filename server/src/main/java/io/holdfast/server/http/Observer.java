package io.holdfast.server.http;

/** Is told of every call that was answered; for metrics. */
@FunctionalInterface
public interface Observer {
  void answered(Route route, int status, long nanos);
}
