package io.holdfast.api;

/** Why a broker said no. A refusal changes nothing. */
public enum ErrorCode {
  /** The queue holds {@code maxSize} messages; push again when consumers have caught up. */
  FULL(true),
  /** The broker has more work waiting than it may hold in memory; try again shortly. */
  OVERLOADED(true),
  /** A payload, a batch or a whole request is larger than the broker accepts. */
  TOO_LARGE(false),
  /** A count of things (queues, partitions, groups, lanes) reached its limit. */
  LIMIT(false),
  /** No such queue, group, message, lease, journal, record or dead letter. */
  NOT_FOUND(false),
  /** The named lease expired, was released, or is somebody else's. */
  STALE_LEASE(false),
  /** This lease has settled that message before; the repeat changed nothing. */
  ALREADY_SETTLED(false),
  /** The message was cancelled or rescheduled while it was held. */
  CANCELLED(false),
  /** The queue says {@code requireLease}, and the settle named none. */
  LEASE_REQUIRED(false),
  /** Another part of the same atomic request was refused. */
  NOT_APPLIED(false),
  /** A message of that transactionId is in the partition already. */
  DUPLICATE(false),
  /** The journal is not at the expected position. */
  WRONG_POSITION(false),
  /** The record is not at the expected version. */
  WRONG_VERSION(false),
  /** The message is not in a state in which this can be done. */
  WRONG_STATE(false),
  /** The request asks for something this broker does not offer. */
  UNSUPPORTED(false),
  /** Stored rows could not be read; the broker goes on, and its log says why. */
  READ_FAILED(true),
  /** The broker stopped after an error it could not survive; nothing is acknowledged any more. */
  SHARD_STOPPED(false),
  /** The broker is closed or closing. */
  CLOSED(false),
  /** A server asks for a token, and there was none, or none that it knows and has not revoked. */
  UNAUTHENTICATED(false),
  /** The token does not allow this, or not with that queue. */
  FORBIDDEN(false),
  /** A payload is, or has to be, encrypted under a key that the broker does not have. */
  KEY_MISSING(false),
  /** A stored payload is not what was stored: it was changed, or its row was moved. */
  DAMAGED(false),
  /**
   * The broker no longer knows whether this numbered request was executed: its session was dropped,
   * or a later request used its slot. It was not executed now.
   */
  REQUEST_FORGOTTEN(false),
  /**
   * The broker has a fault and could not do this; nothing was changed, and its log has the cause.
   */
  INTERNAL(false),
  /**
   * This node of a cluster does not lead it, or has just lost the lead; nothing was changed. Ask
   * again: the client finds the leader.
   */
  NOT_LEADER(true),
  /**
   * The leader of the cluster changed while this was being done: it may have been done or not. A
   * numbered request can be repeated safely.
   */
  OUTCOME_UNKNOWN(false);

  private final boolean retryable;

  ErrorCode(boolean retryable) {
    this.retryable = retryable;
  }

  /** Whether the same request may succeed later without anybody changing it. */
  public boolean retryable() {
    return retryable;
  }
}
