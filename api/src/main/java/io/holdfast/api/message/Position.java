package io.holdfast.api.message;

import io.holdfast.api.Check;

/**
 * Where a message stands: its partition's number, its lane, and its sequence number.
 *
 * @param partition the number of the partition, never used twice
 * @param lane the priority, 0 first
 * @param seq counts per partition, across lanes
 */
public record Position(long partition, int lane, long seq) {
  public Position {
    Check.notNegative("position.partition", partition);
    Check.notNegative("position.lane", lane);
    Check.notNegative("position.seq", seq);
  }
}
