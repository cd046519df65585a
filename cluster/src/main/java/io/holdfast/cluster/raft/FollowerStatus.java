package io.holdfast.cluster.raft;

/**
 * How far a follower is, as its leader sees it.
 *
 * @param matchIndex the last entry that the follower has
 * @param silentMs the time since its last answer
 */
public record FollowerStatus(Member member, long matchIndex, long silentMs) {}
