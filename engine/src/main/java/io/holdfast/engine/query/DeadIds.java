package io.holdfast.engine.query;

import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.View;
import org.jspecify.annotations.Nullable;

/**
 * Tells which messages of a partition are dead for a group, by walking beside whoever asks.
 *
 * <p>It is quick for those who ask about in the order of ids: a row is then read once, instead of
 * looked up.
 *
 * <p>Thread: one, which also closes it.
 */
final class DeadIds implements AutoCloseable {
  /** What is further away is looked up. */
  private static final int STEPS_MAX = 32;

  private final View view;
  private final int queue;
  private final long partition;
  private final int group;
  private @Nullable Rows rows;

  /** Where the walk began: it knows nothing of what is before. */
  private long fromSeq;

  /** The row where the walk is; {@link Long#MAX_VALUE} behind the last. */
  private long idSeq;

  private int deadFor;

  DeadIds(View view, int queue, long partition, int group) {
    this.view = view;
    this.queue = queue;
    this.partition = partition;
    this.group = group;
  }

  boolean contains(long wantedSeq) {
    if (rows == null || wantedSeq < fromSeq) {
      seek(wantedSeq);
    }
    for (int steps = 0; idSeq < wantedSeq; steps++) {
      if (steps == STEPS_MAX) {
        seek(wantedSeq);
        break;
      }
      step();
    }
    fromSeq = wantedSeq;
    while (idSeq == wantedSeq && deadFor < group) {
      step();
    }
    return idSeq == wantedSeq && deadFor == group;
  }

  private void seek(long wantedSeq) {
    close();
    byte[] end = Tables.after(Tables.ofPartition(Tables.DEAD_IDS, queue, partition));
    rows = view.scan(Tables.deadId(queue, partition, wantedSeq, 0), end);
    step();
  }

  private void step() {
    if (rows != null && rows.next()) {
      idSeq = Tables.deadIdSeq(rows.key());
      deadFor = Tables.deadIdGroup(rows.key());
    } else {
      idSeq = Long.MAX_VALUE;
    }
  }

  @Override
  public void close() {
    if (rows != null) {
      rows.close();
      rows = null;
    }
  }
}
