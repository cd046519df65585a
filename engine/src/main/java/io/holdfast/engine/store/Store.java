package io.holdfast.engine.store;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Ordered rows on a disk or in memory, written in atomic batches. */
public interface Store extends AutoCloseable {
  /**
   * Begins a batch on top of those begun before it.
   *
   * <p>Thread: always the same one, the thread that applies commands.
   */
  Tx begin();

  /**
   * Stores a batch, all or none. Batches are written in the order they were begun.
   *
   * <p>Thread: one at a time, and it may be another than the one that begins batches.
   *
   * @param sync return only when the batch would survive a power cut
   * @throws StoreException if it is not stored; the store then takes no further batch
   */
  void write(Tx tx, boolean sync);

  /** The rows that are stored now. */
  Snapshot snapshot();

  /**
   * Copies the rows that are stored now into a directory that must not exist yet. The copy would
   * survive a power cut when this returns.
   */
  void checkpoint(Path directory);

  /**
   * Replaces all rows by those of a checkpoint, which is moved. Snapshots that are open are waited
   * for; no batch may be begun and not written.
   *
   * <p>Thread: the one that begins batches.
   *
   * @throws StoreException if the rows were not replaced. If {@link #failure} is null, they are as
   *     before; otherwise the store has none of them and can only be closed
   */
  default void replaceWith(Path checkpoint) {
    throw new StoreException(
        "This store cannot be replaced by the checkpoint " + checkpoint + ": open it on a disk.",
        null);
  }

  /** Writes what is stored to the disk, so that it survives a power cut without any log. */
  void flush();

  /** Frees the disk space of a range whose rows are all deleted; only a hint. */
  void reclaim(byte[] from, byte[] to);

  /**
   * Why a batch was not stored, or the store not replaced or closed properly; null if all went
   * well.
   */
  default @Nullable StoreException failure() {
    return null;
  }

  /** How much disk the rows take. */
  long diskBytes();

  @Override
  void close();
}
