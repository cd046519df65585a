package io.holdfast.server.http;

import java.util.List;

/**
 * What the audit log has of the calls of a route.
 *
 * <p>The audited acts of the server are those of its routes: a test compares the lines that each
 * route writes with its declaration, and the documentation with all of them.
 *
 * @param acts the names of the acts; of {@link Lines#TRAFFIC} those that a call may contain
 * @param subject what the part {@code id} of the path identifies, such as a job
 */
public record Auditing(Lines lines, List<String> acts, String subject) {
  /** Who writes which lines. */
  public enum Lines {
    /** Nobody: it changes nothing. */
    NONE,
    /** Only acts that a call contains are audited: the rest is the normal work of clients. */
    TRAFFIC,
    /** Each call is an act; the broker or the action writes its line. */
    INSIDE,
    /** Each call is an act; the server writes its line from the call. */
    EACH_CALL
  }

  /** Of a route that only reads. */
  static final Auditing NONE = new Auditing(Lines.NONE, List.of(), "id");
}
