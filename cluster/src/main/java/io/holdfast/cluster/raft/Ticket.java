package io.holdfast.cluster.raft;

import io.holdfast.engine.EntryLog.Proposal;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** A proposal on its way through Ratis. Only this process can make one: others send bytes. */
final class Ticket implements Message {
  private final long call;
  private final long term;
  private final Proposal proposal;
  private final byte[] bytes;
  private final ByteString entry;

  /** What has become of it; decided once. */
  private enum State {
    WAITING,
    APPENDED,
    REFUSED
  }

  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

  Ticket(long call, long term, byte[] bytes, Proposal proposal) {
    this.call = call;
    this.term = term;
    this.bytes = bytes;
    this.entry = UnsafeByteOperations.unsafeWrap(bytes);
    this.proposal = proposal;
  }

  long call() {
    return call;
  }

  /** The term in which it was made. */
  long term() {
    return term;
  }

  Proposal proposal() {
    return proposal;
  }

  byte[] bytes() {
    return bytes;
  }

  @Override
  public ByteString getContent() {
    return entry;
  }

  /**
   * From here on nobody knows what becomes of the entry, unless it is applied.
   *
   * @return false if it was refused: then it must not be appended
   */
  boolean append() {
    return state.compareAndSet(State.WAITING, State.APPENDED);
  }

  /**
   * From here on it is never appended.
   *
   * @return false if it may be in the log already
   */
  boolean refuse() {
    return state.compareAndSet(State.WAITING, State.REFUSED);
  }

  @Override
  public String toString() {
    return "proposal " + call + " of " + entry.size() + " bytes";
  }
}
