package io.holdfast.engine;

import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Snapshot;
import io.holdfast.engine.store.Store;
import io.holdfast.engine.store.StoreException;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.Tx;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A store that does what another does, slowly or not at all if a test says so, and that remembers
 * what it was asked to write.
 *
 * <p>Thread: as the other store's; a test may make trouble from any.
 */
final class TroubledStore implements Store {
  /**
   * A batch that was written.
   *
   * @param rows how many writes it held
   * @param thread the thread that wrote it
   */
  record Written(int rows, boolean sync, Thread thread) {}

  private final Store store;
  private final AtomicReference<@Nullable CountDownLatch> gate = new AtomicReference<>();
  private final Gate checkpoints = new Gate();
  private final Gate reclaims = new Gate();
  private final Gate scans = new Gate();
  private final List<Written> written = new CopyOnWriteArrayList<>();
  private volatile @Nullable RuntimeException readFailure;
  private volatile @Nullable RuntimeException writeFailure;
  private volatile @Nullable Throwable snapshotFailure;
  private volatile @Nullable Throwable reclaimFailure;
  private final AtomicInteger reclaimed = new AtomicInteger();
  private final AtomicInteger reclaimFailures = new AtomicInteger();
  private final AtomicInteger readFailures = new AtomicInteger();
  private volatile boolean failed;
  private volatile boolean held;
  private volatile int writesLeft = Integer.MAX_VALUE;

  /** Of the thread that applies commands. */
  private int callsLeft = -1;

  TroubledStore(Store store) {
    this.store = store;
  }

  /** Lets writes wait from now on. */
  void holdWrites() {
    gate.set(new CountDownLatch(1));
  }

  /** Lets writes go on. */
  void letWritesGo() {
    CountDownLatch closed = gate.getAndSet(null);
    if (closed != null) {
      closed.countDown();
    }
  }

  /** Holds calls of one kind while it is closed. */
  static final class Gate {
    private final CountDownLatch open = new CountDownLatch(1);
    private final AtomicInteger arrived = new AtomicInteger();
    private volatile boolean closed;

    void close() {
      closed = true;
    }

    void open() {
      open.countDown();
    }

    /** How many calls have come to it while it was closed. */
    int arrived() {
      return arrived.get();
    }

    private void pass() {
      if (closed) {
        arrived.incrementAndGet();
        awaitQuietly(open);
      }
    }
  }

  Gate checkpoints() {
    return checkpoints;
  }

  Gate reclaims() {
    return reclaims;
  }

  /** Scans of dead letters, by a snapshot. */
  Gate deadScans() {
    return scans;
  }

  void failReclaims(@Nullable Throwable error) {
    reclaimFailure = error;
  }

  /** How many reads of a batch failed. */
  int readFailures() {
    return readFailures.get();
  }

  /** How many ranges could not be reclaimed. */
  int reclaimFailures() {
    return reclaimFailures.get();
  }

  /** How many ranges were reclaimed. */
  int reclaimed() {
    return reclaimed.get();
  }

  /** Whether a write waits now. */
  boolean isHolding() {
    return held;
  }

  void failWrites(RuntimeException error) {
    writeFailure = error;
  }

  /** Lets writes fail once so many have succeeded. */
  void failWritesAfter(int batches) {
    writesLeft = batches;
  }

  /** Lets the rules find that a row cannot be read. */
  void failReads(@Nullable RuntimeException error) {
    readFailure = error;
  }

  /** Lets a call of a batch fail, after so many others; none if that is negative. */
  void failAfterCalls(int calls) {
    callsLeft = calls;
  }

  void failSnapshots(Throwable error) {
    snapshotFailure = error;
  }

  /** Whether a write has failed. */
  boolean hasFailed() {
    return failed;
  }

  /** The batches that were written and were not empty, in order. */
  List<Written> written() {
    return List.copyOf(written);
  }

  @Override
  public Tx begin() {
    return new TroubledTx(store.begin());
  }

  @Override
  public void write(Tx tx, boolean sync) {
    CountDownLatch closed = gate.get();
    if (closed != null) {
      held = true;
      awaitQuietly(closed);
      held = false;
    }
    RuntimeException error =
        written.size() >= writesLeft ? new StoreException("the disk is gone", null) : writeFailure;
    if (error != null) {
      failed = true;
      throw error;
    }
    try {
      store.write(((TroubledTx) tx).inner, sync);
    } catch (RuntimeException e) {
      failed = true;
      throw e;
    }
    if (tx.writes() > 0) {
      written.add(new Written(tx.writes(), sync, Thread.currentThread()));
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new StoreException("interrupted", e);
    }
  }

  @Override
  public Snapshot snapshot() {
    throwIfSet(snapshotFailure);
    return new TroubledSnapshot(store.snapshot());
  }

  private static void throwIfSet(@Nullable Throwable error) {
    if (error instanceof Error fatal) {
      throw fatal;
    } else if (error instanceof RuntimeException usual) {
      throw usual;
    }
  }

  @Override
  public void checkpoint(Path directory) {
    checkpoints.pass();
    store.checkpoint(directory);
  }

  @Override
  public void replaceWith(Path checkpoint) {
    if (held) {
      throw new IllegalStateException("a batch is being written");
    }
    store.replaceWith(checkpoint);
  }

  @Override
  public void flush() {
    store.flush();
  }

  @Override
  public void reclaim(byte[] from, byte[] to) {
    reclaims.pass();
    Throwable error = reclaimFailure;
    if (error != null) {
      reclaimFailures.incrementAndGet();
      throwIfSet(error);
    }
    store.reclaim(from, to);
    reclaimed.incrementAndGet();
  }

  @Override
  public @Nullable StoreException failure() {
    return store.failure();
  }

  @Override
  public long diskBytes() {
    return store.diskBytes();
  }

  @Override
  public void close() {
    store.close();
  }

  private final class TroubledSnapshot implements Snapshot {
    private final Snapshot inner;

    TroubledSnapshot(Snapshot inner) {
      this.inner = inner;
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      return inner.get(key);
    }

    @Override
    public Rows scan(byte[] from, byte[] to) {
      if (from[0] == Tables.DEAD) {
        scans.pass();
      }
      return inner.scan(from, to);
    }

    @Override
    public Rows scanBack(byte[] from, byte[] to) {
      return inner.scanBack(from, to);
    }

    @Override
    public void close() {
      inner.close();
    }
  }

  private final class TroubledTx implements Tx {
    private final Tx inner;

    TroubledTx(Tx inner) {
      this.inner = inner;
    }

    private void check() {
      count();
      RuntimeException error = readFailure;
      if (error != null) {
        readFailures.incrementAndGet();
        throw error;
      }
    }

    private void count() {
      if (callsLeft-- == 0) {
        throw new IllegalStateException("planted");
      }
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      check();
      return inner.get(key);
    }

    @Override
    public Rows scan(byte[] from, byte[] to) {
      check();
      return inner.scan(from, to);
    }

    @Override
    public Rows scanBack(byte[] from, byte[] to) {
      check();
      return inner.scanBack(from, to);
    }

    @Override
    public void put(byte[] key, byte[] value) {
      count();
      inner.put(key, value);
    }

    @Override
    public void delete(byte[] key) {
      count();
      inner.delete(key);
    }

    @Override
    public void deleteRange(byte[] from, byte[] to) {
      count();
      inner.deleteRange(from, to);
    }

    @Override
    public void clear() {
      inner.clear();
    }

    @Override
    public int writes() {
      return inner.writes();
    }

    @Override
    public long bytes() {
      return inner.bytes();
    }
  }
}
