package io.holdfast.server.http;

/** What a caller must be allowed to, so that a route is open to it. */
public enum Access {
  /** Nothing: anybody may ask. */
  PUBLIC,
  /** To be known: any token will do. */
  KNOWN,
  /** To look at queues and messages. */
  READ,
  /** To push. */
  PUSH,
  /** To push or to consume, whatever the request contains. */
  CHANGE,
  /** To pop, settle and change messages, and to configure queues. */
  CONSUME,
  /** To delete, purge, seek and the like. */
  ADMIN
}
