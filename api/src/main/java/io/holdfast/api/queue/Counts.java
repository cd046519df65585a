package io.holdfast.api.queue;

/**
 * How many messages are where.
 *
 * @param stored in lanes, settled ones that are kept included
 * @param waiting never delivered, by the slowest group
 * @param returned came back, summed over groups
 * @param inFlight leased, summed over groups
 * @param delayed not yet due
 * @param dead dead letters, summed over groups
 * @param bytes payload and framing of what is stored
 */
public record Counts(
    long stored, long waiting, long returned, long inFlight, long delayed, long dead, long bytes) {
  public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0);

  /** The sums of these and others. */
  public Counts plus(Counts other) {
    return new Counts(
        stored + other.stored,
        waiting + other.waiting,
        returned + other.returned,
        inFlight + other.inFlight,
        delayed + other.delayed,
        dead + other.dead,
        bytes + other.bytes);
  }
}
