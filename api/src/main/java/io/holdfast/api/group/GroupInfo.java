package io.holdfast.api.group;

/**
 * A group on one queue as it is now.
 *
 * @param lag messages the group has still to settle: waiting, returned and in flight
 * @param lagMs how long the oldest of them has been in its lane; 0 without lag
 */
public record GroupInfo(
    String queue,
    String group,
    StartFrom start,
    long createdMs,
    long lag,
    long lagMs,
    long waiting,
    long returned,
    long inFlight,
    long dead,
    int leases) {}
