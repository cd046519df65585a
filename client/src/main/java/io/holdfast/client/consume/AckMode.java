package io.holdfast.client.consume;

/** When a consumer's messages are acked. */
public enum AckMode {
  /** When the handler has returned: at least once. The default. */
  AFTER_HANDLER,
  /** When the application says so: at least once. */
  BY_HAND,
  /** Before the handler sees them: at most once, and no lease to renew or to lose. */
  AT_DELIVERY
}
