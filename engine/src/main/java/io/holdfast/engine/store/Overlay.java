package io.holdfast.engine.store;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The batches of a store that are begun and not yet written.
 *
 * <p>Invariant: a batch is marked as written only after the base has it, and after all before it.
 *
 * <p>Thread: {@link #begin} is called by the thread that applies commands, {@link #check} and
 * {@link #written} by the one that writes.
 */
final class Overlay {
  private final View base;
  private final @Nullable KnownNames names;
  private final Deque<Layer> newestFirst = new ArrayDeque<>();
  private long begun;
  private long written;

  /**
   * @param names what spares look-ups in the base, if anything does
   */
  Overlay(View base, @Nullable KnownNames names) {
    this.base = base;
    this.names = names;
  }

  Tx begin() {
    for (Iterator<Layer> oldest = newestFirst.descendingIterator(); oldest.hasNext(); ) {
      if (!oldest.next().written()) {
        break;
      }
      oldest.remove();
    }
    newestFirst.addFirst(new Layer());
    return new OverlayTx(++begun, base, names, newestFirst.toArray(new Layer[0]));
  }

  /** The batch, if it is the next one to be written. */
  OverlayTx check(Tx tx) {
    OverlayTx batch = (OverlayTx) tx;
    if (batch.number() != written + 1) {
      throw new IllegalStateException(
          "batch " + batch.number() + " cannot be written: the next one is " + (written + 1));
    }
    return batch;
  }

  void written(OverlayTx batch) {
    written = batch.number();
    batch.markWritten();
    if (names != null) {
      names.written(written);
    }
  }
}
