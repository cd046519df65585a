package io.holdfast.client.consume;

/**
 * What a consumer has done so far.
 *
 * @param delivered messages that came
 * @param acked messages that the broker knows as done
 * @param nacked messages that the broker knows as failed, those that died included
 * @param dead messages that died of their last failure
 * @param released messages that were given back
 * @param refused settles that the broker refused, such as acks that came too late
 * @param leasesLost leases that ended while the consumer held them
 * @param handlerFailures calls of the handler that threw
 * @param retries calls of the broker that failed and were, or will be, made again
 * @param unsent settles whose answer had not come when the consumer had to end
 */
public record ConsumerCounts(
    long delivered,
    long acked,
    long nacked,
    long dead,
    long released,
    long refused,
    long leasesLost,
    long handlerFailures,
    long retries,
    long unsent) {}
