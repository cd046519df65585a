package io.holdfast.engine.command;

/**
 * What the log adds to a command: the only clock and the only dice the rules may use.
 *
 * @param index counts commands, never used twice
 * @param nowMs epoch milliseconds, never less than in the stamp before
 * @param random 64 random bits that nobody can guess. Ids of leases are made of them, so they must
 *     not show in anything else
 */
public record Stamp(long index, long nowMs, long random) {}
