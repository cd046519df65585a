package io.holdfast.api.group;

/**
 * Where a seek led.
 *
 * @param partitions how many partitions were moved
 * @param clamped whether messages from the wanted place on are no longer kept, so that it stopped
 *     at the oldest
 * @param lag how many messages lie ahead now
 */
public record Sought(long partitions, boolean clamped, long lag) {}
