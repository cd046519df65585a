package io.holdfast.server.http;

/** In whose name a route asks the broker, and so what is checked on the way. */
public enum Authority {
  /**
   * The caller's: its token must cover every queue, journal and record, each operation of a commit
   * needs its role, and acts of operators are audited.
   */
  CALLER,
  /**
   * The route's: as the caller's, except that the access which the route declares is enough for
   * whatever the route itself commits.
   */
  ROUTE,
  /** The server's own: nothing is checked. The route decides what it returns to the caller. */
  SERVER
}
