package io.holdfast.engine;

/**
 * The log of a cluster: it decides the order of the entries of a shard, the same on all nodes.
 *
 * <p>Thread: the shard proposes entries on its own thread, one after the other.
 */
public interface EntryLog {
  /**
   * Asks for an entry to be appended. Must not block.
   *
   * <p>If the entry is committed, {@link Replica#committed} gets it together with the proposal, on
   * the node that proposed it. Otherwise one of the methods of the proposal is called.
   *
   * @param term the term in which this node led when the entry was made; in another one it is
   *     refused, because entries before it may have changed what it was made from
   * @param entry the bytes of the entry, which nobody changes afterwards
   */
  void propose(long term, byte[] entry, Proposal proposal);

  /** An entry that this node has proposed, with the calls that wait for it. */
  interface Proposal {
    /** The entry is not in the log and never will be: its calls had no effect. */
    void refused();

    /** Nobody knows whether the entry will be committed: its calls may have had an effect. */
    void unknown();
  }
}
