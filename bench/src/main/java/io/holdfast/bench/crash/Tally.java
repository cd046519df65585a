package io.holdfast.bench.crash;

/**
 * How much was acknowledged.
 *
 * @param pushes messages pushed, by commits and transactions too
 * @param settles messages settled, likewise
 * @param commits commits that wrote a journal and a record
 * @param transactions commits of acks and pushes alone
 * @param extensions leases extended
 */
public record Tally(long pushes, long settles, long commits, long transactions, long extensions) {
  static final Tally NOTHING = new Tally(0, 0, 0, 0, 0);

  Tally plus(Tally other) {
    return new Tally(
        pushes + other.pushes,
        settles + other.settles,
        commits + other.commits,
        transactions + other.transactions,
        extensions + other.extensions);
  }

  static Tally of(Step step) {
    return switch (step) {
      case Step.Push push -> new Tally(push.items().size(), 0, 0, 0, 0);
      case Step.Pop pop -> new Tally(0, pop.acks().size(), 0, 0, 0);
      case Step.SettleHeld settle -> new Tally(0, settle.names().size(), 0, 0, 0);
      case Step.Commit commit -> new Tally(1, commit.ack().equals(Step.NONE) ? 0 : 1, 1, 0, 0);
      case Step.Transaction both -> new Tally(both.pushes().size(), both.acks().size(), 0, 1, 0);
      case Step.Extend extend -> new Tally(0, 0, 0, 0, 1);
      case Step.WrongCommit refused -> NOTHING;
    };
  }
}
