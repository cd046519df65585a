package io.holdfast.server.http;

/** The body of an answer that is written while it is made, for as long as somebody reads it. */
@FunctionalInterface
public interface Streaming {
  /**
   * Writes all of it. If it throws, the connection ends without the end of the body, so that the
   * client knows that something is missing.
   */
  void write(Outlet out);
}
