package io.holdfast.api.lease;

import org.jspecify.annotations.Nullable;

/**
 * A live lease, as a list of a queue's leases shows it.
 *
 * @param worker who holds it; null if nobody said
 * @param partition the name of the first partition it took messages from
 * @param partitions how many partitions it took messages from
 * @param open how many messages it still holds
 */
public record HeldLease(
    String id,
    String group,
    @Nullable String worker,
    String partition,
    int partitions,
    long leasedMs,
    long untilMs,
    int open) {}
