package io.holdfast.bench.crash;

import io.holdfast.bench.crash.CrashQueues.Place;
import org.jspecify.annotations.Nullable;

/**
 * What a worker left behind when it was killed.
 *
 * @param sure what was answered
 * @param inDoubt the step that was tried and not answered: it happened as a whole or not at all;
 *     null if there was none
 */
record Ledger(Place place, PartitionModel sure, @Nullable Step inDoubt) {
  /** What must be there if the step in doubt was done; the same if there is none. */
  PartitionModel ifDone() {
    if (inDoubt == null) {
      return sure;
    }
    PartitionModel model = sure.copy();
    model.assumeDone(inDoubt);
    return model;
  }
}
