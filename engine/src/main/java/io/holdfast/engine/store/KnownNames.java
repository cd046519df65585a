package io.holdfast.engine.store;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of most names that are not stored that they are not, without a look-up.
 *
 * <p>Nearly every name that a producer gives is new, and to learn that from the files costs more
 * than to store the message. So the names are also kept in a {@link KeyFilter}, filled in the
 * background: after opening, and again when so many were added that the filter errs too often. It
 * never has the last word on a name that may be there, so replies do not depend on it.
 *
 * <p>Invariant: the usable filter has every stored name and every name of the batches begun. A
 * filter being filled gets each name put from its beginning on; the rest it gets from the rows as
 * they are once all batches begun before it are written.
 *
 * <p>Thread: the one that applies commands, apart from {@link #written} (the one that writes), the
 * filling (a thread of its own), and {@link #close}.
 */
final class KnownNames {
  private static final Logger LOG = LoggerFactory.getLogger(KnownNames.class);
  private static final int BYTES_MIN = 8 << 20;
  private static final int BYTES_MAX = 32 << 20;

  private final Supplier<Snapshot> rows;
  private final int bytesMax;

  private volatile @Nullable KeyFilter usable;
  private volatile @Nullable Filling filling;
  private volatile long found;
  private volatile boolean closed;

  private int bytes;
  private long added;

  /** A filter that is not whole yet. */
  private static final class Filling {
    final KeyFilter filter;
    final long afterBatch;
    volatile @Nullable Thread thread;

    Filling(KeyFilter filter, long afterBatch) {
      this.filter = filter;
      this.afterBatch = afterBatch;
    }
  }

  /**
   * @param rows gives the stored rows of this moment
   */
  KnownNames(Supplier<Snapshot> rows) {
    this(rows, BYTES_MIN, BYTES_MAX);
  }

  /**
   * @param bytes what the first filter takes, and each further one twice of, up to {@code bytesMax}
   */
  KnownNames(Supplier<Snapshot> rows, int bytes, int bytesMax) {
    this.rows = rows;
    this.bytes = bytes;
    this.bytesMax = bytesMax;
  }

  static boolean isName(byte[] key) {
    return key[0] == Tables.NAMES;
  }

  /** Whether a name is surely not stored. */
  boolean isNew(byte[] key) {
    KeyFilter filter = usable;
    return filter != null && !filter.mayHold(key);
  }

  /**
   * Takes in a name that is put.
   *
   * @param begun the number of the batch it is put with
   */
  void add(byte[] key, long begun) {
    // First the one being filled: it becomes the usable one before it is none any more.
    Filling open = filling;
    if (open == null && ++added > addedMax()) {
      open = fill(begun);
    }
    if (open != null) {
      open.filter.add(key);
    }
    KeyFilter filter = usable;
    if (filter != null) {
      filter.add(key);
    }
  }

  /** Where the names are more than the filter is made for, walking over them has to be rarer. */
  private long addedMax() {
    KeyFilter filter = usable;
    return filter == null ? 0 : Math.max(filter.capacity(), found);
  }

  private Filling fill(long begun) {
    if (usable != null) {
      bytes = Math.min(bytesMax, 2 * bytes);
    }
    // This batch is not written either, and what it put before has to be found in the rows.
    Filling begins = new Filling(new KeyFilter(bytes), begun);
    added = 0;
    filling = begins;
    return begins;
  }

  /** Says that a batch and all before it are in the rows. */
  void written(long batch) {
    Filling waits = filling;
    if (waits != null && waits.thread == null && batch >= waits.afterBatch && !closed) {
      waits.thread = Thread.ofPlatform().daemon().name("holdfast-names").start(() -> work(waits));
    }
  }

  private void work(Filling work) {
    byte[] from = Tables.start(Tables.NAMES);
    byte[] to = Tables.start((byte) (Tables.NAMES + 1));
    try (Snapshot snapshot = rows.get();
        Rows names = snapshot.scan(from, to)) {
      long count = 0;
      while (!closed && names.next()) {
        work.filter.add(names.key());
        count++;
      }
      found = count;
    } catch (RuntimeException error) {
      LOG.warn("The stored names could not be read; names are looked up one by one.", error);
      return;
    }
    if (!closed) {
      usable = work.filter;
      filling = null;
    }
  }

  /** Ends a filling, so that the rows can be closed. */
  void close() {
    closed = true;
    Filling open = filling;
    Thread thread = open == null ? null : open.thread;
    boolean interrupted = false;
    while (thread != null && thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
