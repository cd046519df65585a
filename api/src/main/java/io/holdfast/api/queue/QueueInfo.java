package io.holdfast.api.queue;

/** A queue as it is now. */
public record QueueInfo(
    String name,
    int id,
    QueueOptions options,
    long createdMs,
    boolean paused,
    long partitions,
    int groups,
    Counts counts) {}
