package io.holdfast.server.http;

/** What a caller must be allowed to, so that a route is open to it. */
public enum Access {
  /** Nothing: anybody may ask. */
  PUBLIC,
  /** To look at queues and messages. */
  READ,
  /** To push. */
  PUSH,
  /** To pop, settle and change messages. */
  CONSUME,
  /** To delete, purge, seek and the like. */
  ADMIN
}
