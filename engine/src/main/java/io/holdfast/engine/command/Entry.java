package io.holdfast.engine.command;

import java.util.List;

/**
 * Commands that were ordered together. An entry is applied as a whole: its rows are part of one
 * batch.
 *
 * @param level the format level of the shard when the commands were ordered
 * @param commands in their order; none if only looks were asked for
 */
public record Entry(int level, List<Ordered> commands) {
  public Entry {
    commands = List.copyOf(commands);
  }

  /**
   * A command with the time and the random bits that it got when it was ordered. Its index is given
   * when it is applied.
   *
   * @param nowMs epoch milliseconds; less than in the command before if another node ordered that
   * @param random 64 random bits that nobody can guess
   */
  public record Ordered(long nowMs, long random, Command command) {}
}
