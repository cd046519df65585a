package io.holdfast.workflow.worker;

import io.holdfast.api.commit.Committed;
import io.holdfast.workflow.replay.Execution;
import io.holdfast.workflow.store.FetchedTurn;
import io.holdfast.workflow.store.FlowStore;
import java.util.function.BooleanSupplier;

/**
 * What a commit in the middle of a turn rests on. It acks nothing, so that no lease stands for it;
 * but a flow that was deleted meanwhile must not come back, nor mix with one that was started anew
 * under its id. So the record of the flow must be as it was while the turn was still held.
 *
 * <p>Whoever deletes a flow that has not ended takes its messages away first. So if they are held
 * after the version was read, that is the version of this flow, and a deletion changes it later.
 *
 * <p>Thread: one.
 */
final class Fence {
  private static final long UNKNOWN = -1;

  private final FlowStore store;
  private final FetchedTurn turn;
  private final BooleanSupplier current;
  private long version = UNKNOWN;

  private Fence(FlowStore store, FetchedTurn turn, BooleanSupplier current) {
    this.store = store;
    this.turn = turn;
    this.current = current;
  }

  /** For a flow that was read from the broker during its turn. */
  static Fence ofStored(FlowStore store, FetchedTurn turn) {
    return new Fence(store, turn, () -> true);
  }

  /** For an execution in memory: another worker may have had a turn since. */
  static Fence ofMemory(FlowStore store, FetchedTurn turn, Execution execution) {
    return new Fence(store, turn, () -> store.isAt(execution.id(), execution.position()));
  }

  /** For a flow that seems to be new. */
  static Fence ofNew(FlowStore store, FetchedTurn turn) {
    return new Fence(store, turn, () -> !store.isKnown(turn.id()));
  }

  /**
   * Whether the flow in the broker is the one that runs here. Asked before a step does something in
   * the world; while the lease lasts, nobody else changes it.
   */
  boolean isCurrent() {
    return current.getAsBoolean();
  }

  /** Whether the turn is still held by who fetched it. */
  boolean isHeld() {
    return store.isHeld(turn.messages().getFirst());
  }

  /** Whether a commit in the middle of the turn may be tried. */
  boolean stands() {
    if (version == UNKNOWN) {
      long now = store.record(turn.id()).version();
      if (!isHeld()) {
        return false;
      }
      version = now;
    }
    return true;
  }

  /** The version that the record must have; 0 if there must be none. */
  long version() {
    return version;
  }

  /** The record was written. */
  void stored(Committed committed) {
    for (Committed.Step step : committed.steps()) {
      if (step instanceof Committed.Step.RecordPut put) {
        version = put.version();
      }
    }
  }
}
