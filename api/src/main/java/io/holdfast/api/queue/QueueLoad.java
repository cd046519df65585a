package io.holdfast.api.queue;

/**
 * What goes through a queue, and how far it is behind.
 *
 * @param lag messages that the slowest group has still to settle; without groups, all that wait
 * @param oldestMs how long the oldest of those has been in its lane; 0 if there are none. Of a
 *     queue in which very many partitions have work, those that were served longest ago count
 * @param pushed messages stored since the broker was opened; so are the others
 * @param delivered deliveries
 * @param acked messages done
 * @param nacked messages that failed
 * @param dead messages that became dead letters
 */
public record QueueLoad(
    String queue,
    long lag,
    long oldestMs,
    long pushed,
    long delivered,
    long acked,
    long nacked,
    long dead) {}
